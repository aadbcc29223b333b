import { recordAuditIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'

const REVERSE_ENTRY = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT act.user_id, act.action, 'undo:' || act.key, 'Taken back: ' || ?2, -act.points, ?3
  FROM standing_acts act WHERE act.id = ?1 ON CONFLICT DO NOTHING RETURNING points`

/**
 * An administrator takes an act's points back, with a reason that its fan reads in their history: a reversing row, and
 * a line of the audit, together. The act's key stays taken, so that it is not paid again.
 * @throws AppError `not_found` for an entry that is not there, `conflict` for one that is a reversal or was taken back.
 */
export async function reverseEntry(
  db: Db,
  { id, reason, actorId, at }: { id: number; reason: string; actorId: number; at: Millis },
): Promise<{ pointsTaken: number }> {
  const d1 = db.$client
  const [reversed, , entry] = await d1.batch([
    d1.prepare(REVERSE_ENTRY).bind(id, reason, at),
    recordAuditIfChanged(d1, { actorId, action: 'points.voided', subject: `ledger:${id}`, detail: { reason }, at }),
    d1.prepare('SELECT id FROM ledger WHERE id = ?1').bind(id),
  ])
  const [row] = (reversed?.results ?? []) as { points: number }[]
  if (row) return { pointsTaken: -row.points }
  if (entry?.results.length !== 1) throw entryNotFound()
  throw new AppError('conflict', 'These points have been taken back already.')
}

export const entryNotFound = () => new AppError('not_found', 'That entry of the ledger does not exist.')
