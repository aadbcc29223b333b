import { recordAuditIfChanged } from '../audit/audit'
import type { PointsAdjustment } from '../contract/supporter-page'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import { unknownUserError } from '../users/admin-list'

const IS_SUPPORTER = "id = ?1 AND role = 'supporter' AND erased_at IS NULL"

/** The condition and the insert are one statement, so that concurrent requests cannot take the total below zero. */
const ADJUST = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT id, 'adjustment', ?2, ?3, ?4, ?5 FROM users WHERE ${IS_SUPPORTER} AND points + ?4 >= 0
  ON CONFLICT DO NOTHING RETURNING points`

type Adjustment = PointsAdjustment & Actor & { userId: number }

/**
 * Adds or removes points by hand, with an audit entry that has the reason. A repeated key changes nothing.
 * @returns the new total.
 * @throws AppError `not_found`; `conflict` if the total would fall below zero.
 */
export async function adjustPoints(
  db: Db,
  { userId, points, reason, key, actorId, at }: Adjustment,
): Promise<{ totalPoints: number }> {
  const d1 = db.$client
  const ledgerKey = `adjustment:${key}`
  const description = points > 0 ? 'Added by the team' : 'Removed by the team'
  const [adjusted, , totals] = await d1.batch([
    d1.prepare(ADJUST).bind(userId, ledgerKey, description, points, at),
    recordAuditIfChanged(db, {
      actorId,
      action: 'points.adjusted',
      subject: `user:${userId}`,
      detail: { points, reason },
      at,
    }),
    d1
      .prepare(
        `SELECT points, EXISTS (SELECT 1 FROM ledger WHERE user_id = ?1 AND key = ?2) AS isRepeated
         FROM users WHERE ${IS_SUPPORTER}`,
      )
      .bind(userId, ledgerKey),
  ])
  const [total] = (totals?.results ?? []) as { points: number; isRepeated: number }[]
  if (!total) throw unknownUserError()
  if (adjusted?.results.length !== 1 && !total.isRepeated)
    throw new AppError('conflict', `They have ${total.points} points. Remove at most that many.`)
  return { totalPoints: total.points }
}
