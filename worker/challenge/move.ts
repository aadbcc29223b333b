import { recordedIfChanged } from '../audit/audit'
import type { ChallengeState, Seal } from '../contract/challenge-now'
import { type Millis, wallClock } from '../lib/clock'
import { Refused } from '../lib/refused'
import { elsewhere } from './desk'
import { known, STANDING, sealOf, standingOf } from './known'
import { count, sealed } from './seal'
import { FEWEST_FINALISTS, stateOf } from './states'

type By = { id: string; actorId: number; at: Millis }

/** What ends with a state, when the desk ends it now: instants and the days that are printed come forward, never back. */
const ENDS: Record<
  Exclude<ChallengeState, 'published'>,
  { next: ChallengeState; instants: string[]; days: string[] }
> = {
  announced: { next: 'submissions', instants: ['submissions_open_at'], days: ['submissions_from'] },
  submissions: { next: 'finalists', instants: ['submissions_close_at'], days: ['submissions_until'] },
  finalists: { next: 'voting', instants: ['finalists_at', 'voting_opens_at'], days: ['finalists_on', 'voting_from'] },
  voting: { next: 'closed', instants: ['voting_closes_at'], days: ['voting_until'] },
  closed: { next: 'published', instants: ['publish_at'], days: ['winner_on'] },
}

/**
 * Moves a challenge on by hand, from `from` to what follows, now. Two administrators at once move it one state.
 * @throws Refused `not_found`, `conflict` when it is not in `from`, or not ready for what follows.
 */
export async function moveOn(
  db: D1Database,
  { id, from, actorId, at }: By & { from: ChallengeState },
): Promise<ChallengeState> {
  const row = await known(db, id)
  if (stateOf(row, at) !== from) throw elsewhere()
  if (from === 'published') throw new Refused('conflict', 'The result is public: nothing comes after it.')
  if (from === 'finalists' && row.named < FEWEST_FINALISTS)
    throw new Refused('conflict', `Voting needs at least ${FEWEST_FINALISTS} finalists. Please name them first.`)
  if (from === 'finalists' && at >= row.votingClosesAt)
    throw new Refused('conflict', 'The days for voting are over. Please choose new ones first.')
  if (from === 'closed' && row.ballotsSha256 === null)
    throw new Refused('conflict', 'The votes have not been counted yet. Please fix them first.')
  const { next, instants, days } = ENDS[from]
  const site = await db.prepare('SELECT time_zone AS zone FROM site').first<{ zone: string }>()
  const today = wallClock(at, site?.zone ?? 'UTC').date
  // Held for the desk's hand, voting begins now and not on the day that has gone by.
  const comes = (column: string, value: string) =>
    column.startsWith('voting_') ? `iif(opens_by_hand, ${value}, min(${column}, ${value}))` : `min(${column}, ${value})`
  const set = [
    ...instants.map((column) => `${column} = ${comes(column, '?3')}`),
    ...days.map((column) => `${column} = ${comes(column, '?4')}`),
    'opens_by_hand = 0',
  ]
  const [moved] = await db.batch([
    db
      .prepare(`UPDATE challenges SET ${set.join(', ')} WHERE id = ?1 AND ${STANDING} = ?2 RETURNING id`)
      .bind(id, standingOf(row), at, today),
    recordedIfChanged(db, {
      actorId,
      action: 'challenge.moved_on',
      subject: `challenge:${id}`,
      detail: { from, to: next },
      at,
    }),
  ])
  if (!moved?.results.length) throw elsewhere()
  return next
}

/**
 * Fixes the votes of a closed challenge by hand, and counts them. Done already, it says the same again.
 * @throws Refused `not_found`, `conflict` before voting has closed.
 */
export async function sealByHand(db: D1Database, { id, actorId, at }: By): Promise<Seal> {
  const state = stateOf(await known(db, id), at)
  if (state !== 'closed' && state !== 'published')
    throw new Refused('conflict', 'Voting has not closed yet: the votes cannot be fixed.')
  await db.batch([
    sealed(db, id, at),
    recordedIfChanged(db, { actorId, action: 'challenge.sealed', subject: `challenge:${id}`, at }),
  ])
  await count(db, id)
  const seal = sealOf(await known(db, id))
  if (!seal) throw elsewhere()
  return seal
}
