import { explained, mustStand, type Stands } from '../auth/joined'
import { CALLER, type Claim, callerBinds } from '../auth/sessions'
import { POINTS } from '../contract/point-rules'
import type { Earned } from '../contract/points'
import { pollsApi } from '../contract/polls'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { FULFILLED, fulfilled } from '../points/fulfilled'
import { unknownPoll } from './polls'

/** ?4 poll, ?5 option, ?6 now. One ballot a person, for an open poll and an option of that very poll (ruling 22). */
export const BALLOT = `
  WITH ${CALLER} INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at)
  SELECT p.id, caller.id, o.id, ?6 FROM polls p
  JOIN poll_options o ON o.poll_id = p.id AND o.id = ?5
  JOIN caller WHERE p.id = ?4 AND p.ends_at > ?6 AND p.hidden_at IS NULL
  ON CONFLICT (poll_id, user_id) DO NOTHING RETURNING option_id`

/** The same parameters: why the ballot was not taken, else what it came to. */
export const OUTCOME = explained(`
  (SELECT points FROM caller) AS total,
  (SELECT ends_at FROM polls WHERE id = ?4 AND hidden_at IS NULL) AS endsAt,
  EXISTS (SELECT 1 FROM poll_options WHERE poll_id = ?4 AND id = ?5) AS isOption,
  EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = ?4 AND user_id = ?1) AS hasVoted,
  ${FULFILLED("'poll_vote:' || ?4", '?6')} AS fulfilled`)

type Outcome = Stands & { total: number; endsAt: Millis | null; isOption: number; hasVoted: number; fulfilled: string }

/**
 * Casts the ballot of the bearer of `claim`. The vote, its count, its points and what they fulfil are one statement
 * with its triggers (migration 0001), and the session is checked in it: one round trip, whatever comes of it.
 * @throws Refused `signed_out`, `forbidden`, `not_found`, `already_voted`, `closed`, `unknown_option`.
 */
export async function castVote(
  db: Db,
  { claim, pollId, optionId, at }: { claim: Claim; pollId: string; optionId: string; at: Millis },
): Promise<Earned> {
  const d1 = db.$client
  const binds = [...callerBinds(claim), pollId, optionId, at]
  const [ballot, explanation] = await d1.batch([d1.prepare(BALLOT).bind(...binds), d1.prepare(OUTCOME).bind(...binds)])
  const outcome = mustStand(explanation?.results[0] as Outcome | undefined, pollsApi.vote.signIn)
  // The triggers' writes are counted in `meta.changes`: a returned row alone says that the ballot was taken.
  if (ballot?.results.length === 1)
    return { pointsAwarded: POINTS.poll_vote, totalPoints: outcome.total, missions: fulfilled(outcome.fulfilled) }
  if (outcome.endsAt === null) throw unknownPoll()
  if (outcome.hasVoted) throw new Refused('already_voted', 'You may have already voted in this poll')
  if (outcome.endsAt <= at) throw new Refused('closed', 'This poll has closed.')
  if (!outcome.isOption) throw new Refused('unknown_option', 'That option is not part of this poll.')
  throw new Error('A ballot was refused for no known reason.')
}
