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

export type Ballot = { claim: Claim; pollId: string; optionId: string; at: Millis }
/** What came of a ballot: whether this very one was taken, and the row that says why not, or what it came to. */
export type Came = { taken: boolean; outcome: Outcome | undefined }

/**
 * Casts ballots in one round trip. Each is one statement with its triggers (migration 0001): the vote, its count, its
 * points and what they fulfil, with its session checked in it. One that fails takes the others with it.
 */
export async function castBallots(d1: D1Database, ballots: Ballot[]): Promise<Came[]> {
  const results = await d1.batch(
    ballots.flatMap(({ claim, pollId, optionId, at }) => {
      const binds = [...callerBinds(claim), pollId, optionId, at]
      return [d1.prepare(BALLOT).bind(...binds), d1.prepare(OUTCOME).bind(...binds)]
    }),
  )
  // The triggers' writes are counted in `meta.changes`: a returned row alone says that a ballot was taken.
  return ballots.map((_, i) => ({
    taken: results[2 * i]?.results.length === 1,
    outcome: results[2 * i + 1]?.results[0] as Outcome | undefined,
  }))
}

/** Casts one ballot, by itself. */
export const castAlone = async (db: Db, ballot: Ballot): Promise<Came> => (await castBallots(db.$client, [ballot]))[0]!

/**
 * What a ballot earned its voter.
 * @throws Refused `signed_out`, `forbidden`, `not_found`, `already_voted`, `closed`, `unknown_option`.
 */
export function earnedBy({ taken, outcome: row }: Came, { at }: Ballot): Earned {
  const outcome = mustStand(row, pollsApi.vote.signIn)
  if (taken)
    return { pointsAwarded: POINTS.poll_vote, totalPoints: outcome.total, missions: fulfilled(outcome.fulfilled) }
  if (outcome.endsAt === null) throw unknownPoll()
  if (outcome.hasVoted) throw new Refused('already_voted', 'You may have already voted in this poll')
  if (outcome.endsAt <= at) throw new Refused('closed', 'This poll has closed.')
  if (!outcome.isOption) throw new Refused('unknown_option', 'That option is not part of this poll.')
  throw new Error('A ballot was refused for no known reason.')
}
