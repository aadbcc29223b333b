import { recordAuditIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { pollNotFound } from './polls'

type ModerationAction = { pollId: string; actorId: number; at: Millis }

/** An administrator ends a poll now. @throws AppError `not_found`. */
export const closePoll = (db: Db, act: ModerationAction): Promise<void> =>
  moderatePoll(db, 'poll.closed', 'UPDATE polls SET ends_at = ?2 WHERE id = ?1 AND ends_at > ?2', act)

/** An administrator takes a poll out of sight. @throws AppError `not_found`. */
export const hidePoll = (db: Db, act: ModerationAction): Promise<void> =>
  moderatePoll(db, 'poll.hidden', 'UPDATE polls SET hidden_at = ?2 WHERE id = ?1 AND hidden_at IS NULL', act)

/** An administrator lets a hidden poll be seen again. @throws AppError `not_found`. */
export const showPoll = (db: Db, act: ModerationAction): Promise<void> =>
  moderatePoll(
    db,
    'poll.shown',
    'UPDATE polls SET hidden_at = NULL WHERE id = ?1 AND hidden_at IS NOT NULL AND ?2 > 0',
    act,
  )

/** What was done already is done, and is written down once. */
async function moderatePoll(
  db: Db,
  action: string,
  change: string,
  { pollId, actorId, at }: ModerationAction,
): Promise<void> {
  const d1 = db.$client
  const [, , poll] = await d1.batch([
    d1.prepare(change).bind(pollId, at),
    recordAuditIfChanged(d1, { actorId, action, subject: `poll:${pollId}`, at }),
    d1.prepare('SELECT id FROM polls WHERE id = ?1').bind(pollId),
  ])
  if (poll?.results.length !== 1) throw pollNotFound()
}
