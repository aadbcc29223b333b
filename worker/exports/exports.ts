import * as z from 'zod/mini'
import { recordAudit } from '../audit/audit'
import type { ExportFile, ExportKind } from '../contract/exports'
import { type BatchResult, batchResult, combineResults } from '../db/batch-delete'
import { paginate, parseCursor } from '../db/pagination'
import type { Env } from '../env'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
import { logError, logEvent } from '../lib/log'
import { limits } from '../limits'
import { SOURCES } from './sources'
import { writeCsv } from './write'

export type ExportJob = { kind: 'export'; id: string }
type Deps = { db: D1Database; files: R2Bucket }
type Row = Omit<ExportFile, 'requestedAt' | 'expiresAt'> & { requestedAt: Millis; expiresAt: Millis | null }

const exportFileKey = (id: string) => `exports/${id}.csv`

const EXPORT_COLUMNS = `exports.id, kind, iif(state = 'ready' AND expires_at <= ?1, 'expired', state) AS state,
  users.username AS requestedBy, requested_at AS requestedAt, rows, size_bytes AS sizeBytes, sha256,
  expires_at AS expiresAt FROM exports JOIN users ON users.id = requested_by`

const toExportFile = ({ requestedAt, expiresAt, ...row }: Row): ExportFile => ({
  ...row,
  requestedAt: new Date(requestedAt).toISOString(),
  expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
})

/** Creates an export with its audit entry. The caller sends the queue message. */
export async function requestExport(
  db: D1Database,
  { kind, actorId, at }: { kind: ExportKind; actorId: number; at: Millis },
): Promise<ExportFile> {
  const id = newId('export')
  const [, , inserted] = await db.batch<Row>([
    db
      .prepare('INSERT INTO exports (id, kind, requested_by, requested_at) VALUES (?1, ?2, ?3, ?4)')
      .bind(id, kind, actorId, at),
    recordAudit(db, { actorId, action: 'export.requested', subject: `export:${id}`, detail: { kind }, at }),
    db.prepare(`SELECT ${EXPORT_COLUMNS} WHERE exports.id = ?2`).bind(at, id),
  ])
  return toExportFile(inserted!.results[0]!)
}

/** A page of exports, newest first. @throws AppError `bad_input`. */
export async function listExports(
  db: D1Database,
  { cursor, at }: { cursor: string | null; at: Millis },
): Promise<{ files: ExportFile[]; next: string | null }> {
  const position = parseCursor(cursor)
  const { results } = await db
    .prepare(
      `SELECT ${EXPORT_COLUMNS} WHERE (requested_at, exports.id) < (?2, ?3)
       ORDER BY requested_at DESC, exports.id DESC LIMIT ${limits.adminPageSize + 1}`,
    )
    .bind(at, position.at, position.id)
    .all<Row>()
  const { rows, next } = paginate(
    results.map((row) => ({ ...row, at: row.requestedAt })),
    limits.adminPageSize,
  )
  return { files: rows.map(({ at: _, ...row }) => toExportFile(row)), next }
}

/**
 * Writes an export's file under a lease; the upload of a worker that died is aborted first. Returns false while another
 * worker holds the lease: retry after it expires.
 * @throws errors of D1 and R2; the export is waiting again then, and no file is visible.
 */
export async function runExport({ db, files }: Deps, id: string, now: () => Millis): Promise<boolean> {
  const lease = () => now() + limits.exportLeaseSeconds * SECOND_MS
  const claimed = await db
    .prepare(
      `UPDATE exports SET state = 'running', leased_until = ?2
       WHERE id = ?1 AND (state = 'waiting' OR (state = 'running' AND leased_until <= ?3)) RETURNING kind, upload_id AS uploadId`,
    )
    .bind(id, lease(), now())
    .first<{ kind: ExportKind; uploadId: string | null }>()
  if (!claimed) {
    const row = await db.prepare('SELECT state FROM exports WHERE id = ?1').bind(id).first<{ state: string }>()
    return row?.state !== 'running'
  }
  const key = exportFileKey(id)
  if (claimed.uploadId)
    await files
      .resumeMultipartUpload(key, claimed.uploadId)
      .abort()
      .catch(() => undefined)
  // The row's upload id identifies the worker that holds the job: one that lost its lease stops.
  let currentUploadId = claimed.uploadId
  const updateIfCurrent = async (set: string, ...values: (string | number | null)[]) => {
    const changed = await db
      .prepare(`UPDATE exports SET ${set} WHERE id = ?1 AND state = 'running' AND upload_id IS ?2 RETURNING id`)
      .bind(id, currentUploadId, ...values)
      .first()
    if (!changed) throw new Error('Another worker has taken this export over.')
  }
  try {
    // Progress is saved at intervals: a write costs as much as reading a page.
    let lastProgressAt = Number.NEGATIVE_INFINITY
    const onProgress = async (uploadId: string, rows: number) => {
      if (currentUploadId === uploadId && now() - lastProgressAt < limits.exportProgressIntervalSeconds * SECOND_MS)
        return
      await updateIfCurrent('upload_id = ?3, leased_until = ?4, rows = ?5', uploadId, lease(), rows)
      currentUploadId = uploadId
      lastProgressAt = now()
    }
    const { rows, sizeBytes, sha256 } = await writeCsv({ db, files, key, source: SOURCES[claimed.kind], onProgress })
    await updateIfCurrent(
      `state = 'ready', upload_id = NULL, rows = ?3, size_bytes = ?4, sha256 = ?5, finished_at = ?6, expires_at = ?7`,
      rows,
      sizeBytes,
      sha256,
      now(),
      now() + limits.exportTtlHours * HOUR_MS,
    )
    return true
  } catch (error) {
    await updateIfCurrent("state = 'waiting', upload_id = NULL, leased_until = 0, rows = NULL").catch(() => undefined)
    throw error
  }
}

/** The R2 key of a ready export. @throws AppError `not_found`. */
export async function getExportKey(db: D1Database, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db
    .prepare("SELECT id FROM exports WHERE id = ?1 AND state = 'ready' AND expires_at > ?2")
    .bind(id, at)
    .first()
  if (!row) throw new AppError('not_found', 'There is no such file, or it has expired.')
  return exportFileKey(id)
}

async function failExport(db: D1Database, id: string): Promise<void> {
  await db
    .prepare("UPDATE exports SET state = 'failed', rows = NULL WHERE id = ?1 AND state IN ('waiting', 'running')")
    .bind(id)
    .run()
}

/** Exports without a worker, whose message was probably lost. */
export async function listOverdueExports(db: D1Database, at: Millis): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM exports WHERE state IN ('waiting', 'running') AND leased_until <= ?1
         AND requested_at <= ?1 - ${limits.exportLeaseSeconds * SECOND_MS} LIMIT 100`,
    )
    .bind(at)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** R2's maximum of objects per delete. */
const DELETE_BATCH_SIZE = 1_000

/** Deletes expired files, and their rows a month later; the audit entries stay. */
export async function cleanUpExports({ db, files }: Deps, at: Millis): Promise<BatchResult> {
  // A failed export may have left a complete file.
  const { results } = await db
    .prepare(
      `SELECT id FROM exports WHERE removed_at IS NULL
         AND ((state = 'ready' AND expires_at <= ?1) OR (state = 'failed' AND requested_at <= ?1 - ${24 * HOUR_MS})) LIMIT ${DELETE_BATCH_SIZE}`,
    )
    .bind(at)
    .all<{ id: string }>()
  const ids = results.map(({ id }) => id)
  if (ids.length > 0) await files.delete(ids.map(exportFileKey))
  const [, rows, links] = await db.batch([
    db
      .prepare('UPDATE exports SET removed_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))')
      .bind(JSON.stringify(ids), at),
    db
      .prepare(
        `DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE requested_at <= ?1 - ${30 * 24 * HOUR_MS}
           AND (removed_at IS NOT NULL OR state = 'waiting') ORDER BY requested_at LIMIT ${DELETE_BATCH_SIZE}) RETURNING id`,
      )
      .bind(at),
    db
      .prepare(
        `DELETE FROM csv_links WHERE id IN (SELECT id FROM csv_links WHERE expires_at <= ?1 LIMIT ${DELETE_BATCH_SIZE}) RETURNING id`,
      )
      .bind(at),
  ])
  return combineResults([
    { affected: ids.length, more: ids.length === DELETE_BATCH_SIZE },
    batchResult(rows, DELETE_BATCH_SIZE),
    batchResult(links, DELETE_BATCH_SIZE),
  ])
}

const Job = z.object({ kind: z.literal('export'), id: z.string() })

/** Handles the export queue: writes each file, or retries its message. */
export async function consumeExports(
  batch: MessageBatch<unknown>,
  { DB, FILES }: Pick<Env, 'DB' | 'FILES'>,
  now: () => Millis = Date.now,
): Promise<void> {
  for (const message of batch.messages) {
    const job = Job.safeParse(message.body).data
    const isDone = job
      ? await runExport({ db: DB, files: FILES }, job.id, now).catch((error: unknown) => {
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
  for (const { id, body, timestamp } of batch.messages) {
    const job = Job.safeParse(body).data
    if (job) await failExport(DB, job.id)
    logEvent('dead-letter', { id, kind: job?.kind ?? null, sent: timestamp })
  }
  batch.ackAll()
}

/** Scheduled job: sends the message of overdue exports again. A duplicate has no effect. */
export async function requeueExports(db: D1Database, queue: Queue<ExportJob>, at: Millis): Promise<void> {
  for (const id of await listOverdueExports(db, at)) await queue.send({ kind: 'export', id })
}
