import { recorded } from '../audit/audit'
import type { ExportFile, ExportKind } from '../contract/exports'
import { type Step, together, took } from '../db/portions'
import { HOUR, type Millis, SECOND } from '../lib/clock'
import { newId } from '../lib/ids'
import { paged, positionOf } from '../lib/keyset'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { SOURCES } from './sources'
import { writeCsv } from './write'

export type ExportJob = { kind: 'export'; id: string }
type House = { db: D1Database; files: R2Bucket }
type Row = Omit<ExportFile, 'requestedAt' | 'expiresAt'> & { requestedAt: Millis; expiresAt: Millis | null }

const keyOf = (id: string) => `exports/${id}.csv`

const SEEN = `exports.id, kind, iif(state = 'ready' AND expires_at <= ?1, 'expired', state) AS state,
  users.username AS requestedBy, requested_at AS requestedAt, rows, size_bytes AS sizeBytes, sha256,
  expires_at AS expiresAt FROM exports JOIN users ON users.id = requested_by`

const asSeen = ({ requestedAt, expiresAt, ...row }: Row): ExportFile => ({
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
  const [, , seen] = await db.batch<Row>([
    db
      .prepare('INSERT INTO exports (id, kind, requested_by, requested_at) VALUES (?1, ?2, ?3, ?4)')
      .bind(id, kind, actorId, at),
    recorded(db, { actorId, action: 'export.requested', subject: `export:${id}`, detail: { kind }, at }),
    db.prepare(`SELECT ${SEEN} WHERE exports.id = ?2`).bind(at, id),
  ])
  return asSeen(seen!.results[0]!)
}

/** The exports that were asked for, newest first, and the cursor of the page behind. @throws Refused `bad_input`. */
export async function exportsAskedFor(
  db: D1Database,
  { cursor, at }: { cursor: string | null; at: Millis },
): Promise<{ files: ExportFile[]; next: string | null }> {
  const before = positionOf(cursor)
  const { results } = await db
    .prepare(
      `SELECT ${SEEN} WHERE (requested_at, exports.id) < (?2, ?3)
       ORDER BY requested_at DESC, exports.id DESC LIMIT ${limits.deskRows + 1}`,
    )
    .bind(at, before.at, before.id)
    .all<Row>()
  const { rows, next } = paged(
    results.map((row) => ({ ...row, at: row.requestedAt })),
    limits.deskRows,
  )
  return { files: rows.map(({ at: _, ...row }) => asSeen(row)), next }
}

/**
 * Writes an export's file, if nobody else is at it. A worker that died left its upload behind: it is given up first.
 * Returns whether the job is done; false where another worker holds it, whose lease must run out before it is retried.
 * @throws what writing throws; the export waits again then, and nothing of it can be seen.
 */
export async function runExport({ db, files }: House, id: string, now: () => Millis): Promise<boolean> {
  const lease = () => now() + limits.exportLeaseSeconds * SECOND
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
  const key = keyOf(id)
  if (claimed.uploadId)
    await files
      .resumeMultipartUpload(key, claimed.uploadId)
      .abort()
      .catch(() => undefined)
  // Whose upload stands in the row holds the job; a worker that was taken for dead finds another's there, and stops.
  let mine = claimed.uploadId
  const ifMine = async (set: string, ...values: (string | number | null)[]) => {
    const changed = await db
      .prepare(`UPDATE exports SET ${set} WHERE id = ?1 AND state = 'running' AND upload_id IS ?2 RETURNING id`)
      .bind(id, mine, ...values)
      .first()
    if (!changed) throw new Error('Another worker has taken this export over.')
  }
  try {
    // Told now and then: to write the row costs as much as to read a page.
    let told = Number.NEGATIVE_INFINITY
    const onProgress = async (uploadId: string, rows: number) => {
      if (mine === uploadId && now() - told < limits.exportProgressSeconds * SECOND) return
      await ifMine('upload_id = ?3, leased_until = ?4, rows = ?5', uploadId, lease(), rows)
      mine = uploadId
      told = now()
    }
    const { rows, sizeBytes, sha256 } = await writeCsv({ db, files, key, source: SOURCES[claimed.kind], onProgress })
    await ifMine(
      `state = 'ready', upload_id = NULL, rows = ?3, size_bytes = ?4, sha256 = ?5, finished_at = ?6, expires_at = ?7`,
      rows,
      sizeBytes,
      sha256,
      now(),
      now() + limits.exportHours * HOUR,
    )
    return true
  } catch (error) {
    await ifMine("state = 'waiting', upload_id = NULL, leased_until = 0, rows = NULL").catch(() => undefined)
    throw error
  }
}

/** The R2 key of an export that is ready. @throws Refused `not_found` for every other. */
export async function exportKey(db: D1Database, { id, at }: { id: string; at: Millis }): Promise<string> {
  const row = await db
    .prepare("SELECT id FROM exports WHERE id = ?1 AND state = 'ready' AND expires_at > ?2")
    .bind(id, at)
    .first()
  if (!row) throw new Refused('not_found', 'There is no such file, or it has expired.')
  return keyOf(id)
}

/** What the queue gave up on has failed, and says so in the list. */
export async function buryExport(db: D1Database, id: string): Promise<void> {
  await db
    .prepare("UPDATE exports SET state = 'failed', rows = NULL WHERE id = ?1 AND state IN ('waiting', 'running')")
    .bind(id)
    .run()
}

/** The exports whose message was lost: wanted for minutes, and nobody is at them. */
export async function overdueExports(db: D1Database, at: Millis): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM exports WHERE state IN ('waiting', 'running') AND leased_until <= ?1
         AND requested_at <= ?1 - ${limits.exportLeaseSeconds * SECOND} LIMIT 100`,
    )
    .bind(at)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/** R2 deletes so many objects at once. */
const FILES = 1_000

/** Removes the files that are over, and their rows a month later; the audit log keeps who asked for what. */
export async function sweepExports({ db, files }: House, at: Millis): Promise<Step> {
  // A failed one may have left a file that was whole before its worker was told to stop.
  const { results } = await db
    .prepare(
      `SELECT id FROM exports WHERE removed_at IS NULL
         AND ((state = 'ready' AND expires_at <= ?1) OR (state = 'failed' AND requested_at <= ?1 - ${24 * HOUR})) LIMIT ${FILES}`,
    )
    .bind(at)
    .all<{ id: string }>()
  const ids = results.map(({ id }) => id)
  if (ids.length > 0) await files.delete(ids.map(keyOf))
  const [, rows, links] = await db.batch([
    db
      .prepare('UPDATE exports SET removed_at = ?2 WHERE id IN (SELECT value FROM json_each(?1))')
      .bind(JSON.stringify(ids), at),
    db
      .prepare(
        `DELETE FROM exports WHERE id IN (SELECT id FROM exports WHERE requested_at <= ?1 - ${30 * 24 * HOUR}
           AND (removed_at IS NOT NULL OR state = 'waiting') ORDER BY requested_at LIMIT ${FILES}) RETURNING id`,
      )
      .bind(at),
    db
      .prepare(
        `DELETE FROM csv_links WHERE id IN (SELECT id FROM csv_links WHERE expires_at <= ?1 LIMIT ${FILES}) RETURNING id`,
      )
      .bind(at),
  ])
  return together([{ affected: ids.length, more: ids.length === FILES }, took(rows, FILES), took(links, FILES)])
}
