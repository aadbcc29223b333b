import type * as z from 'zod/mini'
import {
  CALLER_CTE,
  callerBinds,
  requireActiveSession,
  type SessionPayload,
  type SessionStatusRow,
  withSessionStatus,
} from '../auth/sessions'
import { POINTS, type PointsAward } from '../contract/points'
import { type PollDraft, type PollView, pollsApi } from '../contract/polls'
import { artistDay } from '../db/artist-calendar'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis, SECOND_MS, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'

/** SQL condition: the poll is not hidden and the supporter who created it is not banned. */
export const pollIsVisibleSql = (alias: string) => `${alias}.hidden_at IS NULL AND ${alias}.creator_banned_at IS NULL`

type PollSelection = { where: string; order: 'ASC' | 'DESC'; limit: number; votes: string }

/**
 * One row per option, with the caller's vote. ?4: now. `order` sorts the polls by their end; `votes` is SQL for an
 * option's count. Raw SQL, because it checks the session in the same statement.
 */
const selectPollsSql = ({ where, order, limit, votes }: PollSelection) => `
  WITH ${CALLER_CTE}, shown AS (
    SELECT id, title, description, ends_at FROM polls
    WHERE ${where} AND ${pollIsVisibleSql('polls')} ORDER BY ends_at ${order}, id LIMIT ${limit})
  SELECT shown.id, shown.title, shown.description, shown.ends_at AS endsAt, vote.option_id AS votedOptionId,
    vote.counted_at IS NOT NULL AS isCounted, option.id AS optionId, option.title AS optionTitle, ${votes} AS votes
  FROM shown JOIN poll_options option ON option.poll_id = shown.id
  LEFT JOIN poll_votes vote ON vote.poll_id = shown.id AND vote.user_id = (SELECT id FROM caller)
  ORDER BY shown.ends_at ${order}, shown.id, option.position`

/** The counts of a poll are null until the caller has voted in it. */
export const SELECT_ACTIVE_POLLS = selectPollsSql({
  where: 'ends_at > ?4',
  order: 'ASC',
  limit: limits.maxActivePollsShown,
  votes: 'CASE WHEN vote.option_id IS NOT NULL THEN option.votes END',
})

/** Counts of closed polls are public. */
const SELECT_CLOSED_POLLS = selectPollsSql({
  where: 'ends_at <= ?4',
  order: 'DESC',
  limit: limits.maxClosedPollsShown,
  votes: 'option.votes',
})

type PollOptionRow = {
  id: string
  title: string
  description: string
  endsAt: Millis
  votedOptionId: string | null
  isCounted: number
  optionId: string
  optionTitle: string
  votes: number | null
}
type Reader = { session: SessionPayload | null; at: Millis }

/** Polls that have not ended, soonest to end first. `session` is null for a visitor. */
export const listActivePolls = (db: Db, reader: Reader): Promise<PollView[]> =>
  queryPolls(db, SELECT_ACTIVE_POLLS, reader)

/** The polls that closed last, latest first, with counts. */
export const listClosedPolls = (db: Db, reader: Reader): Promise<PollView[]> =>
  queryPolls(db, SELECT_CLOSED_POLLS, reader)

async function queryPolls(db: Db, sql: string, { session, at }: Reader): Promise<PollView[]> {
  const { results } = await db.$client
    .prepare(sql)
    .bind(...callerBinds(session), at)
    .all<PollOptionRow>()
  const polls = new Map<string, PollView>()
  for (const { id, title, description, endsAt, votedOptionId, isCounted, optionId, optionTitle, votes } of results) {
    const poll = polls.get(id) ?? {
      id,
      title,
      description,
      endDate: toIso(endsAt),
      options: [],
      userVote: votedOptionId === null ? null : { optionId: votedOptionId, counted: isCounted === 1 },
    }
    poll.options.push({ id: optionId, title: optionTitle, voteCount: votes })
    polls.set(id, poll)
  }
  return [...polls.values()]
}

export const pollNotFoundError = () => new AppError('not_found', 'That poll does not exist.')

// In INSERT_POLL and CREATION_OUTCOME: ?4 poll, ?5 title, ?6 now, ?7 start of today, ?8 today's ledger key.
const FROM_TODAYS_POLLS = 'FROM polls WHERE created_by = ?1 AND created_at >= ?7'

/** ?9 description, ?10 end. The statement itself counts today's polls, so that no race exceeds the limit. */
export const INSERT_POLL = `
  WITH ${CALLER_CTE} INSERT INTO polls (id, title, created_by, official, created_at, description, ends_at)
  SELECT ?4, ?5, caller.id, 0, ?6, ?9, ?10 FROM caller
  WHERE (SELECT count(*) ${FROM_TODAYS_POLLS}) < ${limits.pollsPerUserPerDay}
    AND NOT EXISTS (SELECT 1 ${FROM_TODAYS_POLLS} AND title = ?5)
  RETURNING id`

/** ?1 poll, ?2 its options as JSON, `[[id, title], ...]`. Inserts them if the poll exists and has none. */
export const INSERT_OPTIONS = `
  INSERT INTO poll_options (id, poll_id, title, position)
  SELECT option.value ->> 0, polls.id, option.value ->> 1, option.key + 1 FROM polls JOIN json_each(?2) option
  WHERE polls.id = ?1 AND NOT EXISTS (SELECT 1 FROM poll_options WHERE poll_id = ?1)`

/** ?1 poll, ?2 today's ledger key. */
const INSERT_AWARD = `
  INSERT INTO ledger (user_id, action, key, description, points, created_at)
  SELECT created_by, 'poll_created', ?2, 'Created “' || title || '”', ${POINTS.poll_created}, created_at
  FROM polls WHERE id = ?1 ON CONFLICT DO NOTHING RETURNING points`

const CREATION_OUTCOME = withSessionStatus(`
  (SELECT points FROM caller) AS total,
  EXISTS (SELECT 1 ${FROM_TODAYS_POLLS} AND title = ?5 AND id <> ?4) AS isRepeated,
  ${completedMissionsSql('?8', '?6')} AS missions`)

type CreationOutcome = SessionStatusRow & { total: number; isRepeated: number; missions: string }
type Draft = z.output<typeof PollDraft>

/**
 * Creates a supporter's poll, open for `limits.pollDurationDays`; the day's first earns points. Rejects the title of an
 * earlier poll of the day, so that a retried request creates no second poll.
 * @throws AppError `conflict`, `rate_limited`, `signed_out`, `forbidden`.
 */
export async function createPoll(
  db: Db,
  { session, draft, at }: { session: SessionPayload; draft: Draft; at: Millis },
): Promise<PointsAward & { id: string }> {
  const d1 = db.$client
  const today = await artistDay(db, at)
  const id = newId('poll')
  const key = `poll_created:${today.key}`
  const binds = [...callerBinds(session), id, draft.title, at, today.beginsAt, key]
  const options = draft.options.map(({ title }) => [newId('option'), title])
  const [poll, , award, outcomeResult] = await d1.batch([
    d1.prepare(INSERT_POLL).bind(...binds, draft.description ?? '', at + limits.pollDurationDays * DAY_MS),
    d1.prepare(INSERT_OPTIONS).bind(id, JSON.stringify(options)),
    d1.prepare(INSERT_AWARD).bind(id, key),
    d1.prepare(CREATION_OUTCOME).bind(...binds),
  ])
  const outcome = requireActiveSession(
    outcomeResult?.results[0] as CreationOutcome | undefined,
    pollsApi.create.signInMessage,
  )
  if (poll?.results.length === 1) {
    const [row] = (award?.results ?? []) as { points: number }[]
    const missions = parseCompletedMissions(outcome.missions)
    return { id, pointsAwarded: row?.points ?? 0, totalPoints: outcome.total, missions }
  }
  if (outcome.isRepeated) throw new AppError('conflict', 'You have already asked this today.')
  throw new AppError(
    'rate_limited',
    `You can make ${limits.pollsPerUserPerDay} polls a day. Please come back tomorrow.`,
    { retryAfterSeconds: Math.ceil((today.endsAt - at) / SECOND_MS) },
  )
}
