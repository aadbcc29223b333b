import { type SQL, sql } from 'drizzle-orm'
import type { AdminPoll } from '../contract/admin'
import { conditionFilter, daysFilter, type ListDefinition, startsWith, trigramPhrase } from '../db/list'
import { type Millis, toIso, utcToZonedTime } from '../lib/clock'

type PollRow = Pick<AdminPoll, 'id' | 'title' | 'description' | 'by' | 'votes' | 'state' | 'version'> & {
  at: Millis
  official: number
  options: string
  endsAt: Millis
  zone: string
}

const id = sql`polls.rowid`
const title = sql`polls.title COLLATE NOCASE`
const AUTHOR_JOIN = sql`LEFT JOIN users ON users.id = polls.created_by`

/** Three or more characters match anywhere in the title, fewer only at its start. */
function searchPolls(q: string): { where: SQL; from?: SQL; id?: SQL } {
  if ([...q].length < 3) return { where: startsWith(title, q) }
  return {
    from: sql`poll_search JOIN polls ON polls.rowid = poll_search.rowid ${AUTHOR_JOIN}`,
    id: sql`poll_search.rowid`,
    where: sql`poll_search MATCH ${trigramPhrase(q)}`,
  }
}

/** All polls, newest first. Options and votes are read for the rows of the page only. */
export const pollList = (at: Millis): ListDefinition<PollRow, AdminPoll> => ({
  select: sql`polls.id, polls.title, polls.description, polls.official, coalesce(users.username, '') AS by,
    polls.created_at AS at, polls.ends_at AS endsAt, polls.version,
    (SELECT json_group_array(title) FROM (SELECT title FROM poll_options WHERE poll_id = polls.id ORDER BY position)) AS options,
    coalesce((SELECT time_zone FROM site), 'UTC') AS zone,
    (SELECT coalesce(sum(votes), 0) FROM poll_options WHERE poll_id = polls.id) AS votes,
    CASE WHEN polls.hidden_at IS NOT NULL THEN 'hidden' WHEN polls.ends_at <= ${at} THEN 'closed' ELSE 'open' END AS state`,
  from: sql`polls ${AUTHOR_JOIN}`,
  id,
  sorts: { created: id, title, ends: sql`polls.ends_at` },
  defaultSort: '-created',
  filters: {
    id: (pollId) => sql`polls.id = ${pollId}`,
    state: conditionFilter({
      open: sql`(polls.hidden_at IS NULL AND polls.ends_at > ${at})`,
      closed: sql`(polls.hidden_at IS NULL AND polls.ends_at <= ${at})`,
      hidden: sql`polls.hidden_at IS NOT NULL`,
    }),
    by: conditionFilter({ artist: sql`polls.official = 1`, supporters: sql`polls.official = 0` }),
    ends: daysFilter(sql`polls.ends_at`),
  },
  search: searchPolls,
  toItem: ({ at: createdAt, options, official, endsAt, zone, ...row }) => ({
    ...row,
    options: JSON.parse(options),
    official: official === 1,
    lastDay: utcToZonedTime(endsAt - 1, zone).date,
    createdAt: toIso(createdAt),
    endDate: toIso(endsAt),
  }),
})
