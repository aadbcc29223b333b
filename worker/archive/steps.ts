import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { DAY_MS, type Millis } from '../lib/clock'
import { createMultipartWriter } from '../lib/multipart-upload'
import { type AgeFile, ageFileBytes, readAgeRange, renewNonce } from './age'
import { type ArchiveProgress, archiveEntries, type archives } from './archives.table'
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type FileMetadata,
  listMigrations,
  listSections,
  MANIFEST_PATH,
  type ManifestEntry,
  type ManifestHeader,
  OPERATIONAL_PREFIXES,
  secretCheck,
  sectionSource,
} from './contents'
import { BLOCK_BYTES, END_BYTES, fitsTarPath, MAX_ENTRY_BYTES } from './tar'
import { readTarRange, SourceChangedError } from './tar-range'

export type ArchiveDeps = Pick<Deps, 'db' | 'files' | 'secret'>
type ArchiveRow = typeof archives.$inferSelect
type EntryRow = Omit<typeof archiveEntries.$inferInsert, 'archiveId' | 'offset'>
type Phase<Name extends ArchiveProgress['phase']> = Extract<ArchiveProgress, { phase: Name }>

/** R2 requires equal parts except the last. One part is held in memory. */
const PART_BYTES = 16 * 1024 * 1024
const PAGE_ROWS = 1_000
/** When a page has more text than this, the next one has half as many rows. */
const MAX_PAGE_CHARS = 2 * 1024 * 1024
const FILES_PER_STEP = 500
const DIGESTS_PER_STEP = 50
/** Digesting this much takes seconds of CPU time. A single larger file is digested in a separate step. */
const DIGEST_BYTES_PER_STEP = 256 * 1024 * 1024
const ENTRIES_PER_PAGE = 1_000
const MAX_RESTARTS = 3
/** Positions reserved for the pages of one section. Files come after all sections. */
const PAGES_PER_SECTION = 1_000_000
const FIRST_FILE_POSITION = 1_000_000_000

const encoder = new TextEncoder()

/** R2 key of a finished archive. */
export const archiveKey = ({ id, ageHeader }: Pick<ArchiveRow, 'id' | 'ageHeader'>): string =>
  `archives/${id}.tar${ageHeader === null ? '' : '.age'}`

/** R2 prefix of the staged objects of an unfinished archive. */
export const stagingPrefix = (id: string): string => `archives/${id}/`

/**
 * The progress of a new archive. Tables are read children first, so that the parent of every archived row is archived
 * too, even if both were written meanwhile. In the archive itself, parents come first.
 */
export async function firstProgress(db: Db): Promise<ArchiveProgress> {
  return { phase: 'tables', left: (await listSections(db)).reverse(), after: 0, limit: PAGE_ROWS, pages: 0 }
}

/** SQL condition: no other worker has changed the progress since `row` was read. Binds ?1 to ?3 (`revisionOf(row)`). */
const IS_CURRENT =
  "EXISTS (SELECT 1 FROM archives WHERE id = ?1 AND progress = ?2 AND restarts = ?3 AND state = 'running')"
const revisionOf = ({ id, progress, restarts }: ArchiveRow) => [id, progress, restarts] as const

/**
 * Runs the next step of an archive. The result is saved only if the archive's progress is still current, so that a
 * delayed or duplicate worker changes nothing.
 * @throws Error for a file that is too large, or if files changed during every attempt; errors of D1 and R2.
 */
export async function runArchiveStep(deps: ArchiveDeps, row: ArchiveRow, at: Millis): Promise<void> {
  const progress = JSON.parse(row.progress) as ArchiveProgress
  try {
    switch (progress.phase) {
      case 'tables':
        return await readTablePage(deps, row, progress, at)
      case 'files':
        return await listFiles(deps, row, progress, at)
      case 'digests':
        return await digestFiles(deps, row, at)
      case 'manifest':
        return await writeManifest(deps, row, at)
      case 'upload':
        return await uploadPart(deps, row, progress, at)
      case 'done':
        return
    }
  } catch (error) {
    if (!(error instanceof SourceChangedError)) throw error
    await startOver(deps, row, at)
  }
}

/** Saves entries and the next progress, unless another worker has changed the progress since `row` was read. */
async function saveProgress(
  { db: { $client: d1 } }: ArchiveDeps,
  row: ArchiveRow,
  next: ArchiveProgress,
  at: Millis,
  entries: readonly EntryRow[] = [],
): Promise<void> {
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO archive_entries (archive_id, path, position, source, etag, size_bytes, sha256, rows, metadata)
         SELECT ?1, value->>'path', value->>'position', value->>'source', value->>'etag', value->>'sizeBytes',
           value->>'sha256', value->>'rows', value->>'metadata'
         FROM json_each(?4) WHERE ${IS_CURRENT} ON CONFLICT DO NOTHING`,
      )
      .bind(...revisionOf(row), JSON.stringify(entries)),
    d1
      .prepare(`UPDATE archives SET progress = ?4, updated_at = ?5 WHERE id = ?1 AND ${IS_CURRENT}`)
      .bind(...revisionOf(row), JSON.stringify(next), at),
  ])
}

async function readTablePage(deps: ArchiveDeps, row: ArchiveRow, progress: Phase<'tables'>, at: Millis): Promise<void> {
  const { left, after, limit, pages } = progress
  const [section, ...others] = left
  if (section === undefined) return saveProgress(deps, row, { phase: 'files', after: null }, at)
  const { table, where } = sectionSource(section)
  const { results } = await deps.db.$client
    .prepare(`SELECT rowid AS "_rowid", * FROM "${table}" WHERE rowid > ?1 AND ${where} ORDER BY rowid LIMIT ?2`)
    .bind(after, limit)
    .all<Record<string, unknown> & { _rowid: number }>()
  const last = results.at(-1)
  const nextSection: ArchiveProgress = { phase: 'tables', left: others, after: 0, limit: PAGE_ROWS, pages: 0 }
  if (!last) return saveProgress(deps, row, nextSection, at)
  const text = results.map(({ _rowid, ...columns }) => `${JSON.stringify(columns)}\n`).join('')
  const isTooLarge = text.length > MAX_PAGE_CHARS
  const next: ArchiveProgress =
    results.length < limit
      ? nextSection
      : {
          ...progress,
          after: last._rowid,
          limit: isTooLarge ? Math.max(1, Math.floor(limit / 2)) : limit,
          pages: pages + 1,
        }
  const entry = await stageEntry(deps, row, encoder.encode(text))
  await saveProgress(deps, row, next, at, [
    {
      ...entry,
      path: `tables/${section}/${String(pages + 1).padStart(6, '0')}.jsonl`,
      // Parents are read last, so they get the lowest positions.
      position: left.length * PAGES_PER_SECTION + pages,
      rows: results.length,
    },
  ])
}

/** Stores bytes under a new key, because the bytes of a recorded entry must never change. */
async function stageEntry({ files }: ArchiveDeps, { id }: ArchiveRow, bytes: Uint8Array) {
  const source = `${stagingPrefix(id)}${randomUUID()}`
  const { etag } = (await files.put(source, bytes)) as R2Object
  return { source, etag, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

async function listFiles(deps: ArchiveDeps, row: ArchiveRow, { after }: Phase<'files'>, at: Millis): Promise<void> {
  const recordedCount = await deps.db.$count(archiveEntries, eq(archiveEntries.archiveId, row.id))
  const { objects, truncated } = await deps.files.list({
    limit: FILES_PER_STEP,
    startAfter: after ?? undefined,
    include: ['httpMetadata', 'customMetadata'],
  })
  const entries = objects
    .filter(({ key }) => !OPERATIONAL_PREFIXES.some((prefix) => key.startsWith(prefix)))
    .map(({ key, etag, size, httpMetadata, customMetadata }, i): EntryRow => {
      const position = FIRST_FILE_POSITION + recordedCount + i
      if (size > MAX_ENTRY_BYTES) throw new Error(`A file is larger than 8 GB: ${key}`)
      const metadata: FileMetadata = { http: httpMetadata ?? {}, custom: customMetadata ?? {} }
      return {
        path: fitsTarPath(`files/${key}`) ? `files/${key}` : `files/${position}`,
        position,
        source: key,
        etag,
        sizeBytes: size,
        metadata: JSON.stringify(metadata),
      }
    })
  const last = objects.at(-1)?.key
  await saveProgress(deps, row, truncated && last ? { phase: 'files', after: last } : { phase: 'digests' }, at, entries)
}

async function digestFiles(deps: ArchiveDeps, row: ArchiveRow, at: Millis): Promise<void> {
  const { $client: d1 } = deps.db
  const { results } = await d1
    .prepare(
      `SELECT path, source, etag, size_bytes AS sizeBytes FROM archive_entries
       WHERE archive_id = ?1 AND sha256 IS NULL ORDER BY position LIMIT ?2`,
    )
    .bind(row.id, DIGESTS_PER_STEP)
    .all<{ path: string; source: string; etag: string; sizeBytes: number }>()
  if (results.length === 0) return saveProgress(deps, row, { phase: 'manifest' }, at)
  // Saved one by one, so that a worker that crashes loses only one file's digest.
  const save = d1.prepare(
    `UPDATE archive_entries SET sha256 = ?5 WHERE archive_id = ?1 AND path = ?4 AND sha256 IS NULL AND ${IS_CURRENT}`,
  )
  let bytes = 0
  for (const { path, source, etag, sizeBytes } of results) {
    if (bytes > 0 && bytes + sizeBytes > DIGEST_BYTES_PER_STEP) break
    bytes += sizeBytes
    const file = await deps.files.get(source)
    if (file?.etag !== etag) throw new SourceChangedError()
    const hash = createHash('sha256')
    for await (const chunk of file.body as AsyncIterable<Uint8Array>) hash.update(chunk)
    await save.bind(...revisionOf(row), path, hash.digest('hex')).run()
  }
  await d1
    .prepare(`UPDATE archives SET updated_at = ?4 WHERE id = ?1 AND ${IS_CURRENT}`)
    .bind(...revisionOf(row), at)
    .run()
}

/** Writes the manifest, which is the first file, and sets the offset of every entry. */
async function writeManifest(deps: ArchiveDeps, row: ArchiveRow, at: Millis): Promise<void> {
  const { db, files } = deps
  const source = `${stagingPrefix(row.id)}${randomUUID()}`
  const writer = createMultipartWriter(await files.createMultipartUpload(source))
  const [entries, migrations, { results: sequences }] = await Promise.all([
    db.$count(archiveEntries, eq(archiveEntries.archiveId, row.id)),
    listMigrations(db),
    db.$client
      .prepare("SELECT name, seq FROM sqlite_sequence WHERE name <> 'd1_migrations'")
      .all<{ name: string; seq: number }>(),
  ])
  const header: ManifestHeader = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    createdAt: row.createdAt,
    migrations,
    secretCheck: await secretCheck(deps.secret),
    sequences: Object.fromEntries(sequences.map(({ name, seq }) => [name, seq])),
    entries,
  }
  await writer.writeText(`${JSON.stringify(header)}\n`)
  for await (const entry of readEntries(db, row.id)) await writer.writeText(`${JSON.stringify(entry)}\n`)
  const { sizeBytes, sha256 } = await writer.end()
  const etag = (await files.head(source))?.etag ?? ''
  const d1 = db.$client
  const [, , total] = await d1.batch<{ totalBytes: number }>([
    d1
      .prepare(
        `INSERT INTO archive_entries (archive_id, path, position, source, etag, size_bytes, sha256)
         SELECT ?1, '${MANIFEST_PATH}', 0, ?4, ?5, ?6, ?7 WHERE ${IS_CURRENT} ON CONFLICT DO NOTHING`,
      )
      .bind(...revisionOf(row), source, etag, sizeBytes, sha256),
    d1
      .prepare(
        `UPDATE archive_entries AS e SET offset = o.offset FROM (
           SELECT path, sum(${ENTRY_BYTES_SQL}) OVER (ORDER BY position) - (${ENTRY_BYTES_SQL}) AS offset
           FROM archive_entries WHERE archive_id = ?1) o
         WHERE e.archive_id = ?1 AND e.path = o.path AND ${IS_CURRENT}`,
      )
      .bind(...revisionOf(row)),
    d1.prepare(`SELECT sum(${ENTRY_BYTES_SQL}) AS totalBytes FROM archive_entries WHERE archive_id = ?1`).bind(row.id),
  ])
  const totalBytes = (total?.results[0]?.totalBytes ?? 0) + END_BYTES
  await saveProgress(deps, row, { phase: 'upload', part: 1, totalBytes }, at)
}

/** `entryBytes` as SQL. */
const ENTRY_BYTES_SQL = `${BLOCK_BYTES} + (size_bytes + ${BLOCK_BYTES - 1}) / ${BLOCK_BYTES} * ${BLOCK_BYTES}`

async function* readEntries({ $client: d1 }: Db, id: string): AsyncGenerator<ManifestEntry> {
  const page = d1.prepare(
    `SELECT path, position, source, size_bytes AS sizeBytes, sha256, rows, metadata FROM archive_entries
     WHERE archive_id = ?1 AND position > ?2 ORDER BY position LIMIT ${ENTRIES_PER_PAGE}`,
  )
  for (let after = 0; ; ) {
    const { results } = await page.bind(id, after).all<EntryRow & { sha256: string }>()
    for (const { path, source, sizeBytes, sha256, rows, metadata } of results)
      yield metadata
        ? { path, sizeBytes, sha256, key: source, ...(JSON.parse(metadata) as FileMetadata) }
        : { path, sizeBytes, sha256, table: sectionSource(path.split('/')[1] ?? '').table, rows: rows ?? 0 }
    const last = results.at(-1)
    if (!last) return
    after = last.position
  }
}

const ageFileOf = ({ ageHeader, ageKey }: ArchiveRow): AgeFile | null =>
  ageHeader === null ? null : { header: Buffer.from(ageHeader, 'base64'), key: Buffer.from(ageKey ?? '', 'base64') }

async function uploadPart(deps: ArchiveDeps, row: ArchiveRow, progress: Phase<'upload'>, at: Millis): Promise<void> {
  const { db, files } = deps
  const { part, totalBytes } = progress
  const age = ageFileOf(row)
  const sizeBytes = age ? ageFileBytes(age, totalBytes) : totalBytes
  const start = (part - 1) * PART_BYTES
  if (start >= sizeBytes) return completeUpload(deps, row, sizeBytes, at)
  const uploadId = row.uploadId ?? (await startUpload(deps, row))
  if (!uploadId) return
  const end = Math.min(start + PART_BYTES, sizeBytes)
  const readPlain = (from: number, to: number) => readTarRange(deps, row, totalBytes, from, to)
  const bytes = new Uint8Array(end - start)
  let filledBytes = 0
  for await (const chunk of age ? readAgeRange(age, totalBytes, readPlain, start, end) : readPlain(start, end)) {
    bytes.set(chunk, filledBytes)
    filledBytes += chunk.length
  }
  if (filledBytes !== bytes.length) throw new SourceChangedError()
  const { etag } = await files.resumeMultipartUpload(archiveKey(row), uploadId).uploadPart(part, bytes)
  // Not conditional on the progress: R2 uses the part that was uploaded last, even by a slower worker.
  await db.$client
    .prepare(
      `INSERT INTO archive_parts (archive_id, part, etag)
       SELECT id, ?3, ?4 FROM archives WHERE id = ?1 AND upload_id = ?2 AND state = 'running'
       ON CONFLICT (archive_id, part) DO UPDATE SET etag = excluded.etag`,
    )
    .bind(row.id, uploadId, part, etag)
    .run()
  await saveProgress(deps, row, { phase: 'upload', part: part + 1, totalBytes }, at)
}

/** Creates the multipart upload and returns its id; undefined if another worker has already created one. */
async function startUpload({ db, files }: ArchiveDeps, row: ArchiveRow): Promise<string | undefined> {
  const upload = await files.createMultipartUpload(archiveKey(row), {
    httpMetadata: { contentType: row.ageHeader === null ? 'application/x-tar' : 'application/octet-stream' },
  })
  const saved = await db.$client
    .prepare(`UPDATE archives SET upload_id = ?4 WHERE id = ?1 AND upload_id IS NULL AND ${IS_CURRENT} RETURNING id`)
    .bind(...revisionOf(row), upload.uploadId)
    .first()
  if (saved) return upload.uploadId
  await upload.abort().catch(() => undefined)
  return undefined
}

async function completeUpload(
  { db, files }: ArchiveDeps,
  row: ArchiveRow,
  sizeBytes: number,
  at: Millis,
): Promise<void> {
  const d1 = db.$client
  const { results: parts } = await d1
    .prepare('SELECT part AS partNumber, etag FROM archive_parts WHERE archive_id = ?1 ORDER BY part')
    .bind(row.id)
    .all<R2UploadedPart>()
  try {
    await files.resumeMultipartUpload(archiveKey(row), row.uploadId ?? '').complete(parts)
  } catch (error) {
    // No error if an earlier attempt completed the upload and then crashed.
    if ((await files.head(archiveKey(row)))?.size !== sizeBytes) throw error
  }
  await deletePrefix(files, stagingPrefix(row.id))
  await d1.batch([
    d1
      .prepare(
        `UPDATE archives SET state = 'ready', progress = '{"phase":"done"}', age_key = NULL, size_bytes = ?4,
           finished_at = ?5, updated_at = ?5, expires_at = ?6,
           rows = (SELECT coalesce(sum(rows), 0) FROM archive_entries WHERE archive_id = ?1),
           files = (SELECT count(*) FROM archive_entries WHERE archive_id = ?1 AND metadata IS NOT NULL)
         WHERE id = ?1 AND ${IS_CURRENT}`,
      )
      .bind(...revisionOf(row), sizeBytes, at, at + RETENTION.archiveDays * DAY_MS),
    ...['archive_entries', 'archive_parts'].map((table) =>
      d1
        .prepare(
          `DELETE FROM ${table} WHERE archive_id = ?1 AND EXISTS (SELECT 1 FROM archives WHERE id = ?1 AND state = 'ready')`,
        )
        .bind(row.id),
    ),
  ])
}

/** Starts the archive over with the current rows and files. @throws Error after the last attempt. */
async function startOver(deps: ArchiveDeps, row: ArchiveRow, at: Millis): Promise<void> {
  const { db, files } = deps
  if (row.restarts >= MAX_RESTARTS) throw new Error('Files changed during every attempt of this archive.')
  const age = ageFileOf(row)
  const d1 = db.$client
  const [, , started] = await d1.batch([
    ...['archive_entries', 'archive_parts'].map((table) =>
      d1.prepare(`DELETE FROM ${table} WHERE archive_id = ?1 AND ${IS_CURRENT}`).bind(...revisionOf(row)),
    ),
    d1
      .prepare(
        `UPDATE archives SET progress = ?4, restarts = restarts + 1, upload_id = NULL, age_header = ?5, updated_at = ?6
         WHERE id = ?1 AND ${IS_CURRENT} RETURNING id`,
      )
      .bind(
        ...revisionOf(row),
        JSON.stringify(await firstProgress(db)),
        age && Buffer.from(renewNonce(age).header).toString('base64'),
        at,
      ),
  ])
  // Aborted only if the restart was saved: otherwise another worker may still be uploading to it.
  if (row.uploadId && started?.results.length)
    await files
      .resumeMultipartUpload(archiveKey(row), row.uploadId)
      .abort()
      .catch(() => undefined)
}

/** Deletes all objects whose key starts with `prefix`. */
export async function deletePrefix(files: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects } = await files.list({ prefix })
    if (objects.length === 0) return
    await files.delete(objects.map(({ key }) => key))
  }
}
