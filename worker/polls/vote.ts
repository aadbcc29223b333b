import { eq } from 'drizzle-orm'
import { activeSessionSql, requireActiveSession, type SessionPayload, type SessionStatusRow } from '../auth/sessions'
import { POINTS } from '../contract/points'
import { pollsApi, type VoteAward } from '../contract/polls'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { users } from '../users/users.table'
import { pollIsVisibleSql, pollNotFoundError } from './polls'

export type Vote = {
  session: Pick<SessionPayload, 'userId' | 'epoch' | 'sid'>
  pollId: string
  optionId: string
  /** `pollMailboxHash` of the voter's mailbox; null for an account without an email. */
  mailboxHash: string | null
  at: Millis
}

/** Keyed hash of a mailbox key, specific to the poll. */
export const pollMailboxHash = (secret: string, pollId: string, mailboxKey: string) =>
  sign(secret, 'poll-mailbox', `${pollId}\n${mailboxKey}`)

/** `pollMailboxHash` for the session's user; null without an email. D1 has the mailbox key of an older session. */
export async function sessionMailboxHash(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { userId, mailboxKey }: Pick<SessionPayload, 'userId' | 'mailboxKey'>,
  pollId: string,
): Promise<string | null> {
  const key =
    mailboxKey === undefined
      ? (await db.select({ key: users.mailboxKey }).from(users).where(eq(users.id, userId)).get())?.key
      : mailboxKey
  return key ? pollMailboxHash(secret, pollId, key) : null
}

/** ?1 is the result of `serializeVotes`; `position` is the index of the vote in it. */
const VOTES_CTE = `batch_votes AS (
  SELECT key AS position, value ->> 0 AS user_id, value ->> 1 AS epoch, value ->> 2 AS sid, value ->> 3 AS poll_id,
    value ->> 4 AS option_id, value ->> 5 AS at, value ->> 6 AS mailbox FROM json_each(?1))`
const VOTER_JOIN = activeSessionSql('caller', {
  userId: 'batch_votes.user_id',
  epoch: 'batch_votes.epoch',
  sid: 'batch_votes.sid',
})
const VALID_VOTES = `batch_votes CROSS JOIN users caller ON ${VOTER_JOIN}
  CROSS JOIN polls poll ON poll.id = batch_votes.poll_id AND poll.ends_at > batch_votes.at AND ${pollIsVisibleSql('poll')}
  CROSS JOIN poll_options option ON option.poll_id = poll.id AND option.id = batch_votes.option_id`
/** Seeded supporters have no email. */
const IS_CONFIRMED = '(caller.email IS NULL OR caller.email_verified_at IS NOT NULL)'

/** Runs before INSERT_VOTES: assigns each mailbox to its first confirmed account, also if one batch has several. */
export const INSERT_MAILBOXES = `
  WITH ${VOTES_CTE} INSERT INTO poll_mailboxes (poll_id, hash, user_id)
  SELECT poll.id, batch_votes.mailbox, caller.id FROM ${VALID_VOTES}
  WHERE batch_votes.mailbox IS NOT NULL AND ${IS_CONFIRMED}
    AND NOT EXISTS (SELECT 1 FROM poll_votes WHERE poll_id = poll.id AND user_id = caller.id)
  ON CONFLICT DO NOTHING`

/** Inserts one vote per user and poll, for an option of that poll, while poll and session are active. */
export const INSERT_VOTES = `
  WITH ${VOTES_CTE} INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at, counted_at)
  SELECT poll.id, caller.id, option.id, batch_votes.at, iif(${IS_CONFIRMED} AND (caller.mailbox_key IS NULL OR EXISTS (
    SELECT 1 FROM poll_mailboxes WHERE poll_id = poll.id AND hash = batch_votes.mailbox AND user_id = caller.id)), batch_votes.at, NULL)
  FROM ${VALID_VOTES}
  WHERE true ON CONFLICT (poll_id, user_id) DO NOTHING
  RETURNING poll_id AS pollId, user_id AS userId, option_id AS optionId, cast_at AS at`

/** For each vote, what it earned or why it was rejected. `equalsStored`: the stored vote equals this one. */
export const VOTE_OUTCOMES = `
  WITH ${VOTES_CTE} SELECT caller.id IS NOT NULL AS isActive, caller.points AS total, poll.ends_at AS endsAt,
    EXISTS (SELECT 1 FROM users WHERE id = batch_votes.user_id AND banned_at IS NOT NULL) AS banned,
    EXISTS (SELECT 1 FROM poll_options WHERE poll_id = batch_votes.poll_id AND id = batch_votes.option_id) AS isOption,
    stored.user_id IS NOT NULL AS hasVoted, coalesce(stored.option_id = batch_votes.option_id AND stored.cast_at = batch_votes.at, 0) AS equalsStored,
    stored.counted_at IS NOT NULL AS counted,
    EXISTS (SELECT 1 FROM ledger WHERE user_id = batch_votes.user_id AND key = 'poll_vote:' || batch_votes.poll_id AND created_at = batch_votes.at) AS paid,
    ${completedMissionsSql("'poll_vote:' || batch_votes.poll_id", 'batch_votes.at', 'batch_votes.user_id')} AS missions
  FROM batch_votes LEFT JOIN users caller ON ${VOTER_JOIN}
  LEFT JOIN polls poll ON poll.id = batch_votes.poll_id AND ${pollIsVisibleSql('poll')}
  LEFT JOIN poll_votes stored ON stored.poll_id = batch_votes.poll_id AND stored.user_id = batch_votes.user_id ORDER BY batch_votes.position`

type VoteOutcome = SessionStatusRow & {
  total: number
  endsAt: Millis | null
  isOption: number
  hasVoted: number
  equalsStored: number
  counted: number
  /** 0 if an earlier vote in this poll, since deleted by `countPendingVotes`, was rewarded. */
  paid: number
  missions: string
}
/** `accepted`: this vote was inserted, or stored before a retry; `outcome`: what it earned, or why it was rejected. */
export type VoteResult = { accepted: boolean; outcome: VoteOutcome | undefined }

export const serializeVotes = (votes: readonly Vote[]) =>
  JSON.stringify(
    votes.map(({ session, pollId, optionId, mailboxHash, at }) => [
      session.userId,
      session.epoch,
      session.sid,
      pollId,
      optionId,
      at,
      mailboxHash,
    ]),
  )

/**
 * Casts votes in one round trip. Triggers (migrations 0001, 0017, 0038) update counts, points and missions. Raw SQL,
 * because one statement must check the session and insert any number of votes. An invalid vote is not inserted; a
 * database error fails all votes.
 */
export async function castVotes(d1: D1Database, votes: readonly Vote[]): Promise<VoteResult[]> {
  const json = serializeVotes(votes)
  const [, cast, outcomes] = await d1.batch(
    [INSERT_MAILBOXES, INSERT_VOTES, VOTE_OUTCOMES].map((sql) => d1.prepare(sql).bind(json)),
  )
  // `meta.changes` includes writes of triggers: only a returned row means that a vote was inserted. If a user sent
  // several votes, the first counts.
  const accepted = new Set(((cast?.results ?? []) as CastRow[]).map(voteKey))
  return votes.map((vote, i) => ({
    accepted: accepted.delete(voteKey({ ...vote, userId: vote.session.userId })),
    outcome: outcomes?.results[i] as VoteOutcome | undefined,
  }))
}

type CastRow = Pick<Vote, 'pollId' | 'optionId' | 'at'> & { userId: number }
const voteKey = ({ userId, pollId, optionId, at }: CastRow) => JSON.stringify([userId, pollId, optionId, at])

/** Casts a vote that may have been stored already: a stored vote equal to it, to the millisecond, is accepted. */
export async function retryVote(d1: D1Database, vote: Vote): Promise<VoteResult> {
  const result = await castVote(d1, vote)
  return { ...result, accepted: result.accepted || result.outcome?.equalsStored === 1 }
}

export const castVote = async (d1: D1Database, vote: Vote): Promise<VoteResult> => (await castVotes(d1, [vote]))[0]!

/**
 * Points and missions that a vote earned, and whether it is in the count.
 * @throws AppError `signed_out`, `forbidden`, `not_found`, `already_voted`, `closed`, `unknown_option`.
 */
export function voteAward({ accepted, outcome: row }: VoteResult, { at }: Pick<Vote, 'at'>): VoteAward {
  const outcome = requireActiveSession(row, pollsApi.vote.signInMessage)
  if (accepted)
    return {
      pointsAwarded: outcome.paid ? POINTS.poll_vote : 0,
      totalPoints: outcome.total,
      missions: parseCompletedMissions(outcome.missions),
      counted: outcome.counted === 1,
    }
  if (outcome.endsAt === null) throw pollNotFoundError()
  if (outcome.hasVoted) throw new AppError('already_voted', 'You may have already voted in this poll')
  if (outcome.endsAt <= at) throw new AppError('closed', 'This poll has closed.')
  if (!outcome.isOption) throw new AppError('unknown_option', 'That option is not part of this poll.')
  throw new Error('A vote was rejected for no known reason.')
}
