import { CALLER_CTE } from '../auth/sessions'
import { POINTS, type PointsAction } from '../contract/point-rules'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { ledger } from './points.table'

export type Award = {
  userId: number
  action: PointsAction
  /** With the action it identifies the act, e.g. a poll's id. The same act pays once, whatever is retried or raced. */
  subject: string
  /** Shown in the person's history. */
  description: string
  at: Millis
}

/**
 * The statement that pays an act, for a call of its own or for the caller's batch; the ledger's trigger moves the
 * total in the same write. It returns the row paid, or nothing when the act was paid before.
 */
export function awardStatement(db: Db, { userId, action, subject, description, at }: Award) {
  return db
    .insert(ledger)
    .values({ userId, action, key: `${action}:${subject}`, description, points: POINTS[action], createdAt: at })
    .onConflictDoNothing()
    .returning({ points: ledger.points })
}

/**
 * The statement that takes an act of the caller back, where `when` (SQL) holds: a reversing row of the same action,
 * under a key of its own, so that no act goes back twice. The act's own key stays taken: it is never paid again. Binds
 * ?1 to ?3 as CALLER does; `key`, `description` and `at` are SQL. Returns the row's points, which are negative.
 */
export const reversalSql = ({ key, description, at, when }: Record<'key' | 'description' | 'at' | 'when', string>) => `
  WITH ${CALLER_CTE} INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT act.user_id, act.action, 'undo:' || act.key, ${description}, -act.points, ${at}
  FROM caller JOIN ledger act ON act.user_id = caller.id AND act.key = ${key} WHERE ${when}
  ON CONFLICT DO NOTHING RETURNING points`
