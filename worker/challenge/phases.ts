import { recordAuditIfChanged } from '../audit/audit'
import type { ChallengeState, TallySeal } from '../contract/challenge'
import { AppError } from '../lib/app-error'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { concurrentChange } from './admin'
import { countBallots, finalizeStatement } from './finalize'
import { PHASE_VERSION_SQL, phaseVersion, requireChallenge, toSeal } from './find'
import { MIN_FINALISTS, stateOf } from './states'

type Actor = { id: string; actorId: number; at: Millis }

/** What ends with a state, when the desk ends it now: instants and the days that are printed come forward, never back. */
const TRANSITIONS: Record<
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
 * @throws AppError `not_found`, `conflict` when it is not in `from`, or not ready for what follows.
 */
export async function advancePhase(
  db: D1Database,
  { id, from, actorId, at }: Actor & { from: ChallengeState },
): Promise<ChallengeState> {
  const row = await requireChallenge(db, id)
  if (stateOf(row, at) !== from) throw concurrentChange()
  if (from === 'published') throw new AppError('conflict', 'The result is public: nothing comes after it.')
  if (from === 'finalists' && row.named < MIN_FINALISTS)
    throw new AppError('conflict', `Voting needs at least ${MIN_FINALISTS} finalists. Please name them first.`)
  if (from === 'finalists' && at >= row.votingClosesAt)
    throw new AppError('conflict', 'The days for voting are over. Please choose new ones first.')
  if (from === 'closed' && row.ballotsSha256 === null)
    throw new AppError('conflict', 'The votes have not been counted yet. Please fix them first.')
  const { next, instants, days } = TRANSITIONS[from]
  const site = await db.prepare('SELECT time_zone AS zone FROM site').first<{ zone: string }>()
  const today = utcToZonedTime(at, site?.zone ?? 'UTC').date
  // Held for the desk's hand, voting begins now and not on the day that has gone by.
  const nextValue = (column: string, value: string) =>
    column.startsWith('voting_') ? `iif(opens_by_hand, ${value}, min(${column}, ${value}))` : `min(${column}, ${value})`
  const set = [
    ...instants.map((column) => `${column} = ${nextValue(column, '?3')}`),
    ...days.map((column) => `${column} = ${nextValue(column, '?4')}`),
    'opens_by_hand = 0',
  ]
  const [updated] = await db.batch([
    db
      .prepare(`UPDATE challenges SET ${set.join(', ')} WHERE id = ?1 AND ${PHASE_VERSION_SQL} = ?2 RETURNING id`)
      .bind(id, phaseVersion(row), at, today),
    recordAuditIfChanged(db, {
      actorId,
      action: 'challenge.moved_on',
      subject: `challenge:${id}`,
      detail: { from, to: next },
      at,
    }),
  ])
  if (!updated?.results.length) throw concurrentChange()
  return next
}

/**
 * Fixes the votes of a closed challenge by hand, and counts them. Done already, it says the same again.
 * @throws AppError `not_found`, `conflict` before voting has closed.
 */
export async function finalizeManually(db: D1Database, { id, actorId, at }: Actor): Promise<TallySeal> {
  const state = stateOf(await requireChallenge(db, id), at)
  if (state !== 'closed' && state !== 'published')
    throw new AppError('conflict', 'Voting has not closed yet: the votes cannot be fixed.')
  await db.batch([
    finalizeStatement(db, id, at),
    recordAuditIfChanged(db, { actorId, action: 'challenge.sealed', subject: `challenge:${id}`, at }),
  ])
  await countBallots(db, id)
  const seal = toSeal(await requireChallenge(db, id))
  if (!seal) throw concurrentChange()
  return seal
}
