import { recordAudit } from '../audit/audit'
import type { ExportFile, ExportKind } from '../contract/exports'
import { type BatchResult, batchResult, combineResults } from '../db/batch-delete'
import { paginate, parseCursor } from '../db/pagination'
import { AppError } from '../lib/app-error'
import { HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newId } from '../lib/crypto'
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

/** Writes down that an administrator wants this export; the queue is told by the caller. */
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

/** The exports that were asked for, newest first, and the cursor of the page behind. @throws AppError `bad_input`. */
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
 * Writes an export's file, if nobody else is at it. A worker that died left its upload behind: it is given up first.
 * Returns whether the job is done; false where another worker holds it, whose lease must run out before it is retried.
 * @throws what writing throws; the export waits again then, and nothing of it can be seen.
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
  // Whose upload stands in the row holds the job; a worker that was taken for dead finds another's there, and stops.
  let currentUploadId = claimed.uploadId
  const updateIfCurrent = async (set: string, ...values: (string | number | null)[]) => {
    const changed = await db
      .prepare(`UPDATE exports SET ${set} WHERE id = ?1 AND state = 'running' AND upload_id IS ?2 RETURNING id`)
      .bind(id, currentUploadId, ...values)
      .first()
    if (!changed) throw new Error('Another worker has taken this export over.')
  }
  try {
    // Told now and then: to write the row costs as much as to read a page.
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

/** The R2 key of an export that is ready. @throws AppError `not_found` for every other. */
export async function getExportKey(db: D1Database, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db
    .prepare("SELECT id FROM exports WHERE id = ?1 AND state = 'ready' AND expires_at > ?2")
    .bind(id, at)
    .first()
  if (!row) throw new AppError('not_found', 'There is no such file, or it has expired.')
  return exportFileKey(id)
}

/** What the queue gave up on has failed, and says so in the list. */
export async function failExport(db: D1Database, id: string): Promise<void> {
  await db
    .prepare("UPDATE exports SET state = 'failed', rows = NULL WHERE id = ?1 AND state IN ('waiting', 'running')")
    .bind(id)
    .run()
}

/** The exports whose message was lost: wanted for minutes, and nobody is at them. */
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

/** R2 deletes so many objects at once. */
const DELETE_BATCH_SIZE = 1_000

/** Removes the files that are over, and their rows a month later; the audit log keeps who asked for what. */
export async function cleanUpExports({ db, files }: Deps, at: Millis): Promise<BatchResult> {
  // A failed one may have left a file that was whole before its worker was told to stop.
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
