import { CALLER_CTE, callerBinds, type SessionPayload } from '../auth/sessions'
import type { PollView } from '../contract/polls'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'

/**
 * One row an option of the polls that take votes, with the caller's vote beside it. A count leaves the database only
 * with that vote (ruling 22), and the session is checked in the same statement.
 */
export const SELECT_ACTIVE_POLLS = `
  WITH ${CALLER_CTE}, open AS (
    SELECT id, title, description, ends_at FROM polls
    WHERE ends_at > ?4 AND hidden_at IS NULL ORDER BY ends_at, id LIMIT ${limits.maxActivePollsShown})
  SELECT open.id, open.title, open.description, open.ends_at AS endsAt, v.option_id AS mine,
    o.id AS optionId, o.title AS optionTitle, CASE WHEN v.option_id IS NOT NULL THEN o.votes END AS votes
  FROM open JOIN poll_options o ON o.poll_id = open.id
  LEFT JOIN poll_votes v ON v.poll_id = open.id AND v.user_id = (SELECT id FROM caller)
  ORDER BY open.ends_at, open.id, o.position`

/** The polls that closed last, in the same columns. Everybody may see how they ended. */
export const SELECT_CLOSED_POLLS = `
  WITH ${CALLER_CTE}, closed AS (
    SELECT id, title, description, ends_at FROM polls
    WHERE ends_at <= ?4 AND hidden_at IS NULL ORDER BY ends_at DESC, id LIMIT ${limits.maxClosedPollsShown})
  SELECT closed.id, closed.title, closed.description, closed.ends_at AS endsAt, v.option_id AS mine,
    o.id AS optionId, o.title AS optionTitle, o.votes
  FROM closed JOIN poll_options o ON o.poll_id = closed.id
  LEFT JOIN poll_votes v ON v.poll_id = closed.id AND v.user_id = (SELECT id FROM caller)
  ORDER BY closed.ends_at DESC, closed.id, o.position`

type Row = {
  id: string
  title: string
  description: string
  endsAt: Millis
  mine: string | null
  optionId: string
  optionTitle: string
  votes: number | null
}
type Reader = { session: SessionPayload | null; at: Millis }

/** The polls that take votes at `at`, soonest to end first, as the bearer of `session` (null is a visitor) may see them. */
export const activePolls = (db: Db, reader: Reader): Promise<PollView[]> => queryPolls(db, SELECT_ACTIVE_POLLS, reader)

/** The last polls that took votes until `at` or before, latest first, with their counts. */
export const closedPolls = (db: Db, reader: Reader): Promise<PollView[]> => queryPolls(db, SELECT_CLOSED_POLLS, reader)

async function queryPolls(db: Db, sql: string, { session, at }: Reader): Promise<PollView[]> {
  const { results } = await db.$client
    .prepare(sql)
    .bind(...callerBinds(session), at)
    .all<Row>()
  const polls = new Map<string, PollView>()
  for (const { id, title, description, endsAt, mine, optionId, optionTitle, votes } of results) {
    const poll = polls.get(id) ?? {
      id,
      title,
      description,
      endDate: new Date(endsAt).toISOString(),
      options: [],
      userVote: mine === null ? null : { optionId: mine },
    }
    poll.options.push({ id: optionId, title: optionTitle, voteCount: votes })
    polls.set(id, poll)
  }
  return [...polls.values()]
}

export const pollNotFound = () => new AppError('not_found', 'That poll does not exist.')
