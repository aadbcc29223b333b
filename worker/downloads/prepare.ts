import { makeZip } from 'client-zip'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { BatchResult } from '../db/cleanup-batches'
import { type Db, openDb } from '../db/client'
import type { Env } from '../env'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
import { logError } from '../lib/log'
import { createMultipartWriter, isUploadGone } from '../lib/multipart-upload'
import { limits } from '../limits'
import { createJobHandler, MAX_QUEUE_BATCH } from '../queue-handler'
import { downloadFiles } from './downloads.table'
import { type DigitalGoodId, type DownloadPlan, listGoods, planFiles } from './goods'
import { type CoverImage, taggedAudio } from './tags'

const DownloadMessage = z.object({ kind: z.literal('download'), id: z.string() })

type PrepareDeps = { db: Db; files: R2Bucket; assets: Fetcher }

/** R2 key of a prepared file. */
export const downloadKey = (id: string) => `downloads/${id}`

const LEASE_MS: Millis = limits.downloadLeaseSeconds * SECOND_MS
const MAX_RETRY_DELAY_MS: Millis = 6 * 60 * MINUTE_MS
const retryDelay = (attempts: number): Millis => Math.min(MAX_RETRY_DELAY_MS, MINUTE_MS * 2 ** attempts)

/**
 * Compares the goods of `listGoods` with the prepared files, and adds a row for each file that is missing or outdated.
 * An outdated file is served until the new one is complete. A format that a good no longer has is withdrawn at once,
 * unless the good has no format anymore.
 */
export async function planDownloads({ db, files }: Pick<PrepareDeps, 'db' | 'files'>, at: Millis): Promise<void> {
  for (const good of await listGoods(db)) {
    const plans = await planFiles({ db, files }, good)
    // Without plans, as for a removed track, the files are retained for their buyers.
    if (plans.length > 0) await savePlans(db, { good, plans, at })
  }
}

async function savePlans(
  db: Db,
  { good, plans, at }: { good: DigitalGoodId; plans: readonly DownloadPlan[]; at: Millis },
): Promise<void> {
  const d1 = db.$client
  const rows = plans.map(({ format, fingerprint, fileName }) => ({ id: newId('dl'), format, fingerprint, fileName }))
  await d1.batch([
    d1
      .prepare(
        `UPDATE download_files SET superseded_at = ?3 WHERE good = ?1 AND superseded_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM json_each(?2) WHERE value ->> 'format' = download_files.format
             AND (download_files.state = 'ready' OR value ->> 'fingerprint' = download_files.fingerprint))`,
      )
      .bind(good, JSON.stringify(rows), at),
    d1
      .prepare(
        `INSERT INTO download_files (id, good, format, fingerprint, file_name, created_at)
         SELECT value ->> 'id', ?1, value ->> 'format', value ->> 'fingerprint', value ->> 'fileName', ?3
         FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(good, JSON.stringify(rows), at),
  ])
}

/** Sends a queue message for each unfinished file without a lease. A duplicate has no effect. */
async function enqueueDownloads(db: Db, queue: Queue, at: Millis): Promise<void> {
  const due = await db
    .select({ id: downloadFiles.id })
    .from(downloadFiles)
    .where(
      and(
        sql`${downloadFiles.state} <> 'ready'`,
        isNull(downloadFiles.supersededAt),
        sql`${downloadFiles.leasedUntil} <= ${at}`,
      ),
    )
    .limit(MAX_QUEUE_BATCH)
  if (due.length > 0) await queue.sendBatch(due.map(({ id }) => ({ body: { kind: 'download', id } })))
}

/**
 * Plans files and starts their preparation. Runs after content changes and as a five-minute job. The messages go to the
 * queue of the exports.
 */
export async function prepareDownloads({ DB, FILES, EXPORTS }: Pick<Env, 'DB' | 'FILES' | 'EXPORTS'>, at: Millis) {
  const db = openDb(DB)
  await planDownloads({ db, files: FILES }, at)
  await enqueueDownloads(db, EXPORTS, at)
}

/** Prepares a file. After a failure, the five-minute job sends another message when the next attempt is due. */
export const downloadHandler = createJobHandler({
  schema: DownloadMessage,
  retrySeconds: limits.downloadLeaseSeconds,
  async run({ id }, { DB, FILES, ASSETS }, now) {
    await prepareFile({ db: openDb(DB), files: FILES, assets: ASSETS }, id, now).catch((error: unknown) =>
      logError('download', error, { id }),
    )
    return true
  },
})

type FileRow = typeof downloadFiles.$inferSelect

/**
 * Writes one file under a lease. It continues the upload of a worker that crashed: the bytes are the same, so only
 * missing parts are sent. Does nothing while another worker holds the lease, or if the file is complete.
 * @throws errors of D1 and R2, and Error for a broken source or a lost lease; another attempt is due later.
 */
async function prepareFile({ db, files, assets }: PrepareDeps, id: string, now: () => Millis): Promise<void> {
  let leaseEnd = now() + LEASE_MS
  const [row] = await db
    .update(downloadFiles)
    .set({ state: 'running', leasedUntil: leaseEnd, attempts: sql`attempts + 1` })
    .where(
      and(
        eq(downloadFiles.id, id),
        inArray(downloadFiles.state, ['waiting', 'running']),
        isNull(downloadFiles.supersededAt),
        sql`${downloadFiles.leasedUntil} <= ${now()}`,
      ),
    )
    .returning()
  if (!row) return
  // A worker that lost the lease changes nothing: another worker has stored another end of the lease.
  const leaseCondition = () =>
    and(
      eq(downloadFiles.id, id),
      eq(downloadFiles.leasedUntil, leaseEnd),
      eq(downloadFiles.state, 'running'),
      isNull(downloadFiles.supersededAt),
    )
  const renewLease = async (changes: Partial<FileRow>) => {
    const newEnd = Math.max(leaseEnd + 1, now() + LEASE_MS)
    const updated = await db
      .update(downloadFiles)
      .set({ ...changes, leasedUntil: newEnd })
      .where(leaseCondition())
      .returning({ id: downloadFiles.id })
    if (updated.length === 0) throw new Error('Another worker holds the lease, or the file is superseded.')
    leaseEnd = newEnd
  }
  try {
    const plan = (await planFiles({ db, files }, row.good)).find(({ format }) => format === row.format)
    if (plan?.fingerprint !== row.fingerprint) {
      await db.update(downloadFiles).set({ supersededAt: now() }).where(leaseCondition())
      return
    }
    const cover = await loadCover({ files, assets }, plan.coverUrl)
    const sizeBytes = await writeFile(files, row, { bytes: bytesOf(files, plan, cover), plan, renewLease })
    await markReady(db, { row, leaseEnd, sizeBytes, at: now() })
  } catch (error) {
    const isGone = isUploadGone(error)
    await db
      .update(downloadFiles)
      .set({
        state: 'waiting',
        leasedUntil: now() + (isGone ? 0 : retryDelay(row.attempts)),
        ...(isGone && { multipartId: null, parts: [] }),
      })
      .where(leaseCondition())
      .catch(() => undefined)
    throw error
  }
}

type WriteInput = {
  bytes: AsyncIterable<Uint8Array>
  plan: DownloadPlan
  renewLease: (changes: Partial<FileRow>) => Promise<void>
}

/** Uploads the file in parts and returns its size. */
async function writeFile(files: R2Bucket, row: FileRow, { bytes, plan, renewLease }: WriteInput): Promise<number> {
  const key = downloadKey(row.id)
  let { multipartId } = row
  if (multipartId === null) {
    const [first] = plan.entries
    const contentType = plan.isZip ? 'application/zip' : (first?.source.contentType ?? '')
    multipartId = (await files.createMultipartUpload(key, { httpMetadata: { contentType } })).uploadId
    await renewLease({ multipartId })
  }
  const writer = createMultipartWriter(files.resumeMultipartUpload(key, multipartId), {
    stored: row.parts,
    onPart: (parts) => renewLease({ parts: [...parts] }),
  })
  let sizeBytes = 0
  for await (const chunk of bytes) {
    await writer.write(chunk)
    sizeBytes += chunk.length
  }
  try {
    await writer.end()
  } catch (error) {
    // The previous worker may have completed the upload and crashed before it marked the file as ready.
    if (!isUploadGone(error) || (await files.head(key))?.size !== sizeBytes) throw error
  }
  return sizeBytes
}

/** The bytes of a file, which depend only on its fingerprint. */
async function* bytesOf(files: R2Bucket, plan: DownloadPlan, cover: CoverImage | null): AsyncGenerator<Uint8Array> {
  const { entries, modifiedAt } = plan
  if (plan.isZip) {
    const lastModified = new Date(modifiedAt)
    const inputs = entries.map(({ name, source, tags }) => ({
      name,
      lastModified,
      input: taggedAudio(files, source, { tags, cover }),
    }))
    return yield* makeZip(inputs) as ReadableStream<Uint8Array>
  }
  for (const { source, tags } of entries) yield* taggedAudio(files, source, { tags, cover })
}

/** Larger covers are left out, to limit the worker's memory. */
const MAX_COVER_BYTES = 4 * 1024 * 1024
const COVER_TYPES = ['image/jpeg', 'image/png', 'image/webp']

/** The cover, from the uploads or the site's own images; null if it is missing, too large or of another type. */
async function loadCover(
  { files, assets }: Pick<PrepareDeps, 'files' | 'assets'>,
  coverUrl: string,
): Promise<CoverImage | null> {
  const [, key] = /^\/media\/([\w.@/-]+)$/.exec(coverUrl) ?? []
  if (key === undefined) return null
  const object = await files.get(key)
  if (object && object.size > MAX_COVER_BYTES) return null
  const asset = object ? null : await assets.fetch(new Request(`https://assets.local${coverUrl}`))
  if (asset && !asset.ok) return null
  const contentType = object?.httpMetadata?.contentType ?? asset?.headers.get('content-type') ?? ''
  const bytes = new Uint8Array(await (object ?? asset ?? new Response()).arrayBuffer())
  return COVER_TYPES.includes(contentType) && bytes.length <= MAX_COVER_BYTES ? { bytes, contentType } : null
}

/** Marks the file as ready and its predecessor as superseded, in one batch. */
async function markReady(
  db: Db,
  { row, leaseEnd, sizeBytes, at }: { row: FileRow; leaseEnd: Millis; sizeBytes: number; at: Millis },
): Promise<void> {
  const d1 = db.$client
  await d1.batch([
    d1
      .prepare(
        `UPDATE download_files SET state = 'ready', size_bytes = ?2, multipart_id = NULL, parts = '[]'
         WHERE id = ?1 AND state = 'running' AND leased_until = ?3 AND superseded_at IS NULL`,
      )
      .bind(row.id, sizeBytes, leaseEnd),
    d1
      .prepare(
        `UPDATE download_files SET superseded_at = ?4 WHERE good = ?2 AND format = ?3 AND id <> ?1 AND superseded_at IS NULL
           AND state = 'ready' AND EXISTS (SELECT 1 FROM download_files WHERE id = ?1 AND state = 'ready')`,
      )
      .bind(row.id, row.good, row.format, at),
  ])
}

const CLEANUP_BATCH_SIZE = 50
/** Longer than a link is valid, so that a download can be resumed as long as its link is valid. */
const SUPERSEDED_TTL_MS: Millis = 2 * DAY_MS

/** Daily job: deletes superseded files. */
export async function deleteSupersededDownloads(
  { db, files }: Pick<PrepareDeps, 'db' | 'files'>,
  at: Millis,
): Promise<BatchResult> {
  const rows = await db
    .select({ id: downloadFiles.id, multipartId: downloadFiles.multipartId })
    .from(downloadFiles)
    .where(sql`${downloadFiles.supersededAt} <= ${at - SUPERSEDED_TTL_MS}`)
    .limit(CLEANUP_BATCH_SIZE)
  if (rows.length === 0) return { affected: 0, more: false }
  for (const { id, multipartId } of rows)
    if (multipartId !== null)
      await files
        .resumeMultipartUpload(downloadKey(id), multipartId)
        .abort()
        .catch(() => undefined)
  // Files before rows, so that a crash leaves a row to retry.
  const ids = rows.map(({ id }) => id)
  await files.delete(ids.map(downloadKey))
  await db.delete(downloadFiles).where(inArray(downloadFiles.id, ids))
  return { affected: rows.length, more: rows.length === CLEANUP_BATCH_SIZE }
}
