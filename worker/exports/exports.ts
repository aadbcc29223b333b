import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { recordAudit } from '../audit/audit'
import { EXPORT_KINDS, type ExportFile, type ExportKind } from '../contract/exports'
import { type BatchResult, batchResult, combineResults } from '../db/batch-delete'
import { type Db, openDb, prepare } from '../db/client'
import { columnFilter, daysFilter, type RecordList } from '../db/list'
import type { Deps } from '../deps'
import type { Env } from '../env'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { logError, logEvent } from '../lib/log'
import { limits } from '../limits'
import { users } from '../users/users.table'
import { exportFiles } from './exports.table'
import { SOURCES } from './sources'
import { writeCsv } from './write'

const ExportMessage = z.object({ kind: z.literal('export'), id: z.string() })
type ExportJob = z.infer<typeof ExportMessage>

type ExportDeps = Pick<Deps, 'db' | 'files'>

const LEASE_MS: Millis = limits.exportLeaseSeconds * SECOND_MS
/** R2's maximum of objects per delete. */
const DELETE_BATCH_SIZE = 1_000

const exportFileKey = (id: string) => `exports/${id}.csv`

const stateSql = (at: Millis) =>
  sql<
    ExportFile['state']
  >`iif(${exportFiles.state} = 'ready' AND ${exportFiles.expiresAt} <= ${at}, 'expired', ${exportFiles.state})`

const exportQuery = (db: Db, at: Millis) =>
  db
    .select({
      id: exportFiles.id,
      kind: exportFiles.kind,
      state: stateSql(at),
      requestedBy: users.username,
      at: exportFiles.requestedAt,
      rows: exportFiles.rows,
      sizeBytes: exportFiles.sizeBytes,
      sha256: exportFiles.sha256,
      expiresAt: exportFiles.expiresAt,
    })
    .from(exportFiles)
    .innerJoin(users, eq(users.id, exportFiles.requestedBy))
    .$dynamic()

const toExportFile = ({ at, expiresAt, ...row }: Awaited<ReturnType<typeof exportQuery>>[number]): ExportFile => ({
  ...row,
  requestedAt: toIso(at),
  expiresAt: toIso(expiresAt),
})

/** Creates an export with its audit entry. The caller sends the queue message. */
export async function requestExport(
  db: Db,
  { kind, actorId, at }: { kind: ExportKind; actorId: number; at: Millis },
): Promise<ExportFile> {
  const id = newId('export')
  await db.$client.batch([
    prepare(
      db,
      sql`INSERT INTO exports (id, kind, requested_by, requested_at) VALUES (${id}, ${kind}, ${actorId}, ${at})`,
    ),
    recordAudit(db, { actorId, action: 'export.requested', subject: `export:${id}`, detail: { kind }, at }),
  ])
  const [file] = await exportQuery(db, at).where(eq(exportFiles.id, id))
  return toExportFile(file!)
}

/** Exports, newest first. */
export const exportList = (at: Millis): RecordList<ExportFile> => ({
  from: sql`${exportFiles}`,
  id: sql`${exportFiles.id}`,
  sorts: { requested: sql`${exportFiles.requestedAt}` },
  defaultSort: '-requested',
  filters: {
    kind: columnFilter(sql`${exportFiles.kind}`, EXPORT_KINDS),
    state: columnFilter(stateSql(at), ['waiting', 'running', 'ready', 'failed', 'expired']),
    requested: daysFilter(sql`${exportFiles.requestedAt}`),
  },
  load: async (db, ids) =>
    (await exportQuery(db, at).where(inArray(exportFiles.id, ids.map(String)))).map(toExportFile),
})

/**
 * Writes an export's file under a lease; the upload of a crashed worker is aborted first. Returns false while another
 * worker holds the lease: retry after it expires.
 * @throws errors of D1 and R2; the export is then waiting again, without a visible file.
 */
export async function runExport({ db, files }: ExportDeps, id: string, now: () => Millis): Promise<boolean> {
  const [claimed] = await db.all<{ kind: ExportKind; uploadId: string | null }>(
    sql`UPDATE exports SET state = 'running', leased_until = ${now() + LEASE_MS}
      WHERE id = ${id} AND (state = 'waiting' OR (state = 'running' AND leased_until <= ${now()}))
      RETURNING kind, upload_id AS uploadId`,
  )
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
  const updateIfCurrent = async (changes: Partial<typeof exportFiles.$inferInsert>) => {
    const updated = await db
      .update(exportFiles)
      .set(changes)
      .where(and(eq(exportFiles.id, id), eq(exportFiles.state, 'running'), sql`upload_id IS ${currentUploadId}`))
      .returning({ id: exportFiles.id })
    if (updated.length === 0) throw new Error('Another worker has taken this export over.')
  }
  try {
    // Progress is saved at intervals: a write costs as much as reading a page.
    let lastProgressAt = Number.NEGATIVE_INFINITY
    const onProgress = async (uploadId: string, rows: number) => {
      if (currentUploadId === uploadId && now() - lastProgressAt < limits.exportProgressIntervalSeconds * SECOND_MS)
        return
      await updateIfCurrent({ uploadId, leasedUntil: now() + LEASE_MS, rows })
      currentUploadId = uploadId
      lastProgressAt = now()
    }
    const { rows, sizeBytes, sha256 } = await writeCsv({ db, files, key, source: SOURCES[claimed.kind], onProgress })
    const expiresAt = now() + limits.exportTtlHours * HOUR_MS
    await updateIfCurrent({ state: 'ready', uploadId: null, rows, sizeBytes, sha256, finishedAt: now(), expiresAt })
    return true
  } catch (error) {
    await updateIfCurrent({ state: 'waiting', uploadId: null, leasedUntil: 0, rows: null }).catch(() => undefined)
    throw error
  }
}

/** The R2 key of a ready export. @throws AppError `not_found`. */
export async function getExportKey(db: Db, { id, at }: { id: string; at: Millis }): Promise<string> {
  const isReady = and(eq(exportFiles.id, id), eq(exportFiles.state, 'ready'), gt(exportFiles.expiresAt, at))
  if ((await db.$count(exportFiles, isReady)) === 0)
    throw new AppError('not_found', 'There is no such file, or it has expired.')
  return exportFileKey(id)
}

/** Exports without a worker, whose message was probably lost. */
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

/**
 * Deletes files of expired and failed exports, rows of exports that were requested a month ago, and expired links. The
 * audit entries stay.
 */
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
      sql`DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE requested_at <= ${at - 30 * DAY_MS}
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

/** Handles the export queue: writes each file, or retries its message. */
export async function consumeExports(
  batch: MessageBatch<unknown>,
  { DB, FILES }: Pick<Env, 'DB' | 'FILES'>,
  now: () => Millis = Date.now,
): Promise<void> {
  for (const message of batch.messages) {
    const job = ExportMessage.safeParse(message.body).data
    const isDone = job
      ? await runExport({ db: openDb(DB), files: FILES }, job.id, now).catch((error: unknown) => {
          logError('export', error, { id: job.id })
          return false
        })
      : false
    if (isDone) message.ack()
    else message.retry({ delaySeconds: limits.exportLeaseSeconds })
  }
}

/** Handles the dead-letter queue: marks exports as failed. */
export async function failDeadLetteredExports(batch: MessageBatch<unknown>, { DB }: Pick<Env, 'DB'>): Promise<void> {
  const db = openDb(DB)
  for (const { id, body, timestamp } of batch.messages) {
    const job = ExportMessage.safeParse(body).data
    if (job)
      await db
        .update(exportFiles)
        .set({ state: 'failed', rows: null })
        .where(and(eq(exportFiles.id, job.id), inArray(exportFiles.state, ['waiting', 'running'])))
    logEvent('dead-letter', { id, kind: job?.kind ?? null, sent: timestamp })
  }
  batch.ackAll()
}

/** Scheduled job: sends the message of overdue exports again. A duplicate has no effect. */
export async function requeueExports(db: Db, queue: Queue<ExportJob>, at: Millis): Promise<void> {
  for (const id of await listOverdueExports(db, at)) await queue.send({ kind: 'export', id })
}
