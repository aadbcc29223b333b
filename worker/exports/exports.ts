import { and, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { recordAudit } from '../audit/audit'
import type { ExportFile, ExportKind, ExportRequest } from '../contract/exports'
import { artistTimeZone } from '../db/artist-calendar'
import { type BatchResult, batchResult, combineResults } from '../db/cleanup-batches'
import { type Db, openDb, prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { readConfig } from '../env'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS, toIso, utcToZonedTime } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { createJobHandler } from '../queue-handler'
import { readSiteName } from '../site/site'
import { users } from '../users/users.table'
import { joinColumnNames, requireColumns, sourceWithColumns } from './columns'
import { exportReadyEmail } from './emails'
import { exportFiles } from './exports.table'
import { writeCsv } from './write-csv'

const ExportMessage = z.object({ kind: z.literal('export'), id: z.string() })
export type ExportJob = z.infer<typeof ExportMessage>

type ExportDeps = Pick<Deps, 'db' | 'files'>

const LEASE_MS: Millis = limits.exportLeaseSeconds * SECOND_MS
/** How long after its request an export is listed. */
const EXPORT_RECORD_TTL_MS: Millis = 30 * DAY_MS
/** The most objects that R2 deletes in one call. */
const DELETE_BATCH_SIZE = 1_000

const exportFileKey = (id: string) => `exports/${id}.csv`

/** The kind is the prefix by default. */
const FILE_NAME_PREFIXES: Partial<Record<ExportKind, string>> = { 'golden-verse-votes': 'challenge-ballots' }

/** `supporters-2026-11-22.csv`, with the day in the artist's time zone. */
const exportFileName = (kind: ExportKind, requestedAt: Millis, zone: string) =>
  `${FILE_NAME_PREFIXES[kind] ?? kind}-${utcToZonedTime(requestedAt, zone).date}.csv`

/** SQL: an export's state at a time. A ready file expires. */
export const exportStateSql = (at: Millis) =>
  sql<
    ExportFile['state']
  >`iif(${exportFiles.state} = 'ready' AND ${exportFiles.expiresAt} <= ${at}, 'expired', ${exportFiles.state})`

export const exportQuery = (db: Db, at: Millis) =>
  db
    .select({
      id: exportFiles.id,
      kind: exportFiles.kind,
      state: exportStateSql(at),
      requestedBy: users.username,
      at: exportFiles.requestedAt,
      rows: exportFiles.rows,
      sizeBytes: exportFiles.sizeBytes,
      sha256: exportFiles.sha256,
      expiresAt: exportFiles.expiresAt,
      columns: exportFiles.columns,
    })
    .from(exportFiles)
    .innerJoin(users, eq(users.id, exportFiles.requestedBy))
    .$dynamic()

type ExportRow = Awaited<ReturnType<typeof exportQuery>>[number]

export const toExportFile = ({ at, expiresAt, ...row }: ExportRow, zone: string): ExportFile => ({
  ...row,
  requestedAt: toIso(at),
  expiresAt: toIso(expiresAt),
  fileName: exportFileName(row.kind, at, zone),
})

/**
 * Creates an export with its audit entry. The queue message is left to the route, which sends it afterwards.
 * @throws AppError `bad_input` for unknown columns.
 */
export async function requestExport(
  db: Db,
  { kind, columns, actorId, at }: ExportRequest & Actor,
): Promise<ExportFile> {
  const id = newId('export')
  const chosen = requireColumns(kind, columns)
  const file = { id, kind, columns: chosen, requestedBy: actorId, requestedAt: at }
  const detail = { kind, columns: joinColumnNames(chosen) }
  await db.$client.batch([
    prepare(db, db.insert(exportFiles).values(file)),
    recordAudit(db, { actorId, action: 'export.requested', subject: `export:${id}`, detail, at }),
  ])
  const [stored] = await exportQuery(db, at).where(eq(exportFiles.id, id))
  return toExportFile(stored!, await artistTimeZone(db))
}

/**
 * Writes an export's file under a lease, after aborting the upload of a crashed worker.
 * @returns true if nothing is left to do; false if another worker holds the lease, to retry after its end.
 * @throws errors of D1 and R2; the export is then waiting again, without a visible file.
 */
export async function runExport(
  { db, files, origin }: ExportDeps & Pick<Deps, 'origin'>,
  id: string,
  now: () => Millis,
): Promise<boolean> {
  const [claimed] = await db
    .update(exportFiles)
    .set({ state: 'running', leasedUntil: now() + LEASE_MS })
    .where(
      and(
        eq(exportFiles.id, id),
        or(
          eq(exportFiles.state, 'waiting'),
          and(eq(exportFiles.state, 'running'), lte(exportFiles.leasedUntil, now())),
        ),
      ),
    )
    .returning()
  if (!claimed) {
    const [file] = await db.select({ state: exportFiles.state }).from(exportFiles).where(eq(exportFiles.id, id))
    return file?.state !== 'running'
  }
  const key = exportFileKey(id)
  if (claimed.uploadId)
    await files
      .resumeMultipartUpload(key, claimed.uploadId)
      .abort()
      .catch(() => undefined)
  // The row's upload id identifies the current worker. A worker that lost its lease stops.
  let currentUploadId = claimed.uploadId
  const updateIfCurrent = async (
    changes: Partial<typeof exportFiles.$inferInsert>,
    email: D1PreparedStatement | null = null,
  ) => {
    const update = db
      .update(exportFiles)
      .set(changes)
      .where(and(eq(exportFiles.id, id), eq(exportFiles.state, 'running'), sql`upload_id IS ${currentUploadId}`))
      .returning({ id: exportFiles.id })
    const updated = email ? (await db.$client.batch([prepare(db, update), email]))[0]?.results : await update
    if (!updated?.length) throw new Error('Another worker has taken this export over.')
  }
  try {
    // Progress is saved at intervals, because saving it takes as long as reading a page.
    let lastProgressAt = Number.NEGATIVE_INFINITY
    const onProgress = async (uploadId: string, rows: number) => {
      if (currentUploadId === uploadId && now() - lastProgressAt < limits.exportProgressIntervalSeconds * SECOND_MS)
        return
      await updateIfCurrent({ uploadId, leasedUntil: now() + LEASE_MS, rows })
      currentUploadId = uploadId
      lastProgressAt = now()
    }
    const source = sourceWithColumns(claimed.kind, claimed.columns)
    const { rows, sizeBytes, sha256 } = await writeCsv({ db, files, key, source, onProgress })
    const at = now()
    const expiresAt = at + limits.exportTtlHours * HOUR_MS
    const email = claimed.emailsLink ? await readyEmailStatement({ db, origin }, { ...claimed, expiresAt }, at) : null
    await updateIfCurrent({ state: 'ready', uploadId: null, rows, sizeBytes, sha256, finishedAt: at, expiresAt }, email)
    return true
  } catch (error) {
    await updateIfCurrent({ state: 'waiting', uploadId: null, leasedUntil: 0, rows: null }).catch(() => undefined)
    throw error
  }
}

/** Statement that emails a link to a weekly export, for the batch that makes it ready; null without an address. */
async function readyEmailStatement(
  { db, origin }: Pick<Deps, 'db' | 'origin'>,
  { id, kind, requestedBy, requestedAt, expiresAt }: typeof exportFiles.$inferSelect & { expiresAt: Millis },
  at: Millis,
): Promise<D1PreparedStatement | null> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, requestedBy))
  if (!user?.email) return null
  const timeZone = await artistTimeZone(db)
  const email = exportReadyEmail({
    siteName: await readSiteName(db),
    origin,
    fileName: exportFileName(kind, requestedAt, timeZone),
    expiresAt,
    timeZone,
  })
  return enqueueEmail(db, { to: user.email, email, dedupeKey: `export-ready:${id}`, at, ifChanged: true })
}

/** The R2 key and the name of a ready export. @throws AppError `not_found`. */
export async function getExportFile(db: Db, { id, at }: { id: string; at: Millis }) {
  const isReady = and(eq(exportFiles.id, id), eq(exportFiles.state, 'ready'), gt(exportFiles.expiresAt, at))
  const [file] = await db.select().from(exportFiles).where(isReady)
  if (!file) throw new AppError('not_found', 'There is no such file, or it has expired.')
  const fileName = exportFileName(file.kind, file.requestedAt, await artistTimeZone(db))
  return { key: exportFileKey(id), fileName }
}

/** Unfinished exports that no worker holds: their message was probably lost. */
export async function listOverdueExports(db: Db, at: Millis): Promise<string[]> {
  const overdue = await db
    .select({ id: exportFiles.id })
    .from(exportFiles)
    .where(
      and(
        inArray(exportFiles.state, ['waiting', 'running']),
        lte(exportFiles.leasedUntil, at),
        lte(exportFiles.requestedAt, at - LEASE_MS),
      ),
    )
    .limit(100)
  return overdue.map(({ id }) => id)
}

/** Deletes files of expired and failed exports, rows of exports older than EXPORT_RECORD_TTL_MS, and expired links. */
export async function cleanUpExports({ db, files }: ExportDeps, at: Millis): Promise<BatchResult> {
  // A failed export may have left a complete file.
  const expired = await db.all<{ id: string }>(
    sql`SELECT id FROM exports WHERE removed_at IS NULL AND ((state = 'ready' AND expires_at <= ${at})
      OR (state = 'failed' AND requested_at <= ${at - DAY_MS})) LIMIT ${DELETE_BATCH_SIZE}`,
  )
  const ids = expired.map(({ id }) => id)
  if (ids.length > 0) await files.delete(ids.map(exportFileKey))
  const [, rows, links] = await db.$client.batch([
    prepare(
      db,
      sql`UPDATE exports SET removed_at = ${at} WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    ),
    prepare(
      db,
      sql`DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE requested_at <= ${at - EXPORT_RECORD_TTL_MS}
        AND (removed_at IS NOT NULL OR state = 'waiting') ORDER BY requested_at LIMIT ${DELETE_BATCH_SIZE}) RETURNING id`,
    ),
    prepare(
      db,
      sql`DELETE FROM csv_links WHERE id IN (
        SELECT id FROM csv_links WHERE expires_at <= ${at} LIMIT ${DELETE_BATCH_SIZE}) RETURNING id`,
    ),
  ])
  return combineResults([
    { affected: ids.length, more: ids.length === DELETE_BATCH_SIZE },
    batchResult(rows, DELETE_BATCH_SIZE),
    batchResult(links, DELETE_BATCH_SIZE),
  ])
}

export const exportHandler = createJobHandler({
  schema: ExportMessage,
  retrySeconds: limits.exportLeaseSeconds,
  run: async ({ id }, env, now) =>
    runExport({ db: openDb(env.DB), files: env.FILES, origin: readConfig(env).jobOrigin }, id, now),
  fail: ({ id }, { DB }) =>
    openDb(DB)
      .update(exportFiles)
      .set({ state: 'failed', rows: null })
      .where(and(eq(exportFiles.id, id), inArray(exportFiles.state, ['waiting', 'running']))),
})

/** Five-minute job: sends the message of overdue exports again. A duplicate has no effect. */
export async function requeueExports(db: Db, queue: Queue<ExportJob>, at: Millis): Promise<void> {
  for (const id of await listOverdueExports(db, at)) await queue.send({ kind: 'export', id })
}
