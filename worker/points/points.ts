import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { ledger } from './points.table'
import { type PaidAction, POINTS } from './rules'

export type Award = {
  userId: number
  action: PaidAction
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
export function award(db: Db, { userId, action, subject, description, at }: Award) {
  return db
    .insert(ledger)
    .values({ userId, action, key: `${action}:${subject}`, description, points: POINTS[action], createdAt: at })
    .onConflictDoNothing()
    .returning({ points: ledger.points })
}
