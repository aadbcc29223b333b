import { recordedIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { unknownPoll } from './polls'

type Act = { pollId: string; actorId: number; at: Millis }

/** An administrator ends a poll now. @throws Refused `not_found`. */
export const closePoll = (db: Db, act: Act): Promise<void> =>
  moderated(db, 'poll.closed', 'UPDATE polls SET ends_at = ?2 WHERE id = ?1 AND ends_at > ?2', act)

/** An administrator takes a poll out of sight. @throws Refused `not_found`. */
export const hidePoll = (db: Db, act: Act): Promise<void> =>
  moderated(db, 'poll.hidden', 'UPDATE polls SET hidden_at = ?2 WHERE id = ?1 AND hidden_at IS NULL', act)

/** An administrator lets a hidden poll be seen again. @throws Refused `not_found`. */
export const showPoll = (db: Db, act: Act): Promise<void> =>
  moderated(
    db,
    'poll.shown',
    'UPDATE polls SET hidden_at = NULL WHERE id = ?1 AND hidden_at IS NOT NULL AND ?2 > 0',
    act,
  )

/** What was done already is done, and is written down once. */
async function moderated(db: Db, action: string, change: string, { pollId, actorId, at }: Act): Promise<void> {
  const d1 = db.$client
  const [, , poll] = await d1.batch([
    d1.prepare(change).bind(pollId, at),
    recordedIfChanged(d1, { actorId, action, subject: `poll:${pollId}`, at }),
    d1.prepare('SELECT id FROM polls WHERE id = ?1').bind(pollId),
  ])
  if (poll?.results.length !== 1) throw unknownPoll()
}
