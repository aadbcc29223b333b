import { activeSessionSql, requireActiveSession, type SessionPayload, type SessionStatusRow } from '../auth/sessions'
import { POINTS, type PointsAward } from '../contract/points'
import { pollsApi } from '../contract/polls'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { pollNotFound } from './polls'

export type Vote = {
  session: Pick<SessionPayload, 'userId' | 'epoch' | 'sid'>
  pollId: string
  optionId: string
  at: Millis
}

/** ?1 is `serializeVotes`; `n` is the position of a vote. */
const VOTES_CTE = `cast_now AS (
  SELECT key AS n, value ->> 0 AS user_id, value ->> 1 AS epoch, value ->> 2 AS sid, value ->> 3 AS poll_id,
    value ->> 4 AS option_id, value ->> 5 AS at FROM json_each(?1))`
const VOTER_JOIN = activeSessionSql('caller', { userId: 'b.user_id', epoch: 'b.epoch', sid: 'b.sid' })

/** Inserts one vote per user and poll, for an option of that poll, while poll and session are active. */
export const INSERT_VOTES = `
  WITH ${VOTES_CTE} INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at)
  SELECT p.id, caller.id, o.id, b.at FROM cast_now b
  CROSS JOIN users caller ON ${VOTER_JOIN}
  CROSS JOIN polls p ON p.id = b.poll_id AND p.ends_at > b.at AND p.hidden_at IS NULL
  CROSS JOIN poll_options o ON o.poll_id = p.id AND o.id = b.option_id
  WHERE true ON CONFLICT (poll_id, user_id) DO NOTHING
  RETURNING poll_id AS pollId, user_id AS userId, option_id AS optionId, cast_at AS at`

/** For each vote, its award or why it was rejected. `isThis`: the stored vote equals this one. */
export const VOTE_OUTCOMES = `
  WITH ${VOTES_CTE} SELECT caller.id IS NOT NULL AS stands, caller.points AS total, p.ends_at AS endsAt,
    EXISTS (SELECT 1 FROM users WHERE id = b.user_id AND banned_at IS NOT NULL) AS banned,
    EXISTS (SELECT 1 FROM poll_options WHERE poll_id = b.poll_id AND id = b.option_id) AS isOption,
    v.user_id IS NOT NULL AS hasVoted, coalesce(v.option_id = b.option_id AND v.cast_at = b.at, 0) AS isThis,
    ${completedMissionsSql("'poll_vote:' || b.poll_id", 'b.at', 'b.user_id')} AS fulfilled
  FROM cast_now b LEFT JOIN users caller ON ${VOTER_JOIN}
  LEFT JOIN polls p ON p.id = b.poll_id AND p.hidden_at IS NULL
  LEFT JOIN poll_votes v ON v.poll_id = b.poll_id AND v.user_id = b.user_id ORDER BY b.n`

type Outcome = SessionStatusRow & {
  total: number
  endsAt: Millis | null
  isOption: number
  hasVoted: number
  isThis: number
  fulfilled: string
}
/** `accepted` if this vote was inserted; `outcome` says what it earned, or why it was rejected. */
export type VoteResult = { accepted: boolean; outcome: Outcome | undefined }

export const serializeVotes = (votes: readonly Vote[]) =>
  JSON.stringify(
    votes.map(({ session, pollId, optionId, at }) => [
      session.userId,
      session.epoch,
      session.sid,
      pollId,
      optionId,
      at,
    ]),
  )

/**
 * Casts votes in one round trip. Triggers (migration 0001) update counts, points and missions. Raw SQL, because one
 * statement must check the session and insert any number of votes. All fail if one does.
 */
export async function castVotes({ $client: d1 }: Db, votes: readonly Vote[]): Promise<VoteResult[]> {
  const json = serializeVotes(votes)
  const [cast, outcomes] = await d1.batch([INSERT_VOTES, VOTE_OUTCOMES].map((sql) => d1.prepare(sql).bind(json)))
  // `meta.changes` includes writes of triggers: only a returned row means that a vote was inserted. Of several votes of
  // one user the first counts.
  const accepted = new Set(((cast?.results ?? []) as Row[]).map(voteKey))
  return votes.map((vote, i) => ({
    accepted: accepted.delete(voteKey({ ...vote, userId: vote.session.userId })),
    outcome: outcomes?.results[i] as Outcome | undefined,
  }))
}
type Row = Pick<Vote, 'pollId' | 'optionId' | 'at'> & { userId: number }
const voteKey = ({ userId, pollId, optionId, at }: Row) => JSON.stringify([userId, pollId, optionId, at])

/** Casts a vote that may have been counted already: a stored vote equal to it, to the millisecond, is accepted. */
export async function retryVote(db: Db, vote: Vote): Promise<VoteResult> {
  const result = await castVote(db, vote)
  return { ...result, accepted: result.accepted || result.outcome?.isThis === 1 }
}

export const castVote = async (db: Db, vote: Vote): Promise<VoteResult> => (await castVotes(db, [vote]))[0]!

/**
 * Points and missions that a vote earned.
 * @throws AppError `signed_out`, `forbidden`, `not_found`, `already_voted`, `closed`, `unknown_option`.
 */
export function voteAward({ accepted, outcome: row }: VoteResult, { at }: Vote): PointsAward {
  const outcome = requireActiveSession(row, pollsApi.vote.signInMessage)
  if (accepted)
    return {
      pointsAwarded: POINTS.poll_vote,
      totalPoints: outcome.total,
      missions: parseCompletedMissions(outcome.fulfilled),
    }
  if (outcome.endsAt === null) throw pollNotFound()
  if (outcome.hasVoted) throw new AppError('already_voted', 'You may have already voted in this poll')
  if (outcome.endsAt <= at) throw new AppError('closed', 'This poll has closed.')
  if (!outcome.isOption) throw new AppError('unknown_option', 'That option is not part of this poll.')
  throw new Error('A vote was rejected for no known reason.')
}
