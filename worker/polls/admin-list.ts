import type { AdminPoll, PollColumn } from '../contract/admin'
import type { Db } from '../db/client'
import { type ListParams, type Page, paginate, parseNumericCursor, type SortOrder } from '../db/pagination'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { limits } from '../limits'

const LIMIT = `LIMIT ${limits.adminPageSize + 1}`

type PollRow = Pick<AdminPoll, 'title' | 'description' | 'by' | 'votes' | 'state'> & {
  id: number
  publicId: string
  at: Millis
  official: number
  options: string
  endsAt: Millis
  zone: string
}
/** Raw SQL for the search index. ?3 is now. Options and votes are read for the rows of the page only. */
const POLL_SELECT = `SELECT polls.rowid AS id, polls.id AS publicId, polls.title, description, official, coalesce(username, '') AS by,
    polls.created_at AS at, ends_at AS endsAt,
    (SELECT json_group_array(title) FROM (SELECT title FROM poll_options WHERE poll_id = polls.id ORDER BY position)) AS options,
    coalesce((SELECT time_zone FROM site), 'UTC') AS zone, (SELECT coalesce(sum(votes), 0) FROM poll_options WHERE poll_id = polls.id) AS votes,
    CASE WHEN hidden_at IS NOT NULL THEN 'hidden' WHEN ends_at <= ?3 THEN 'closed' ELSE 'open' END AS state`
const AUTHOR_JOIN = 'LEFT JOIN users ON users.id = created_by'
type PollListParams = ListParams & { order: SortOrder<PollColumn> | null }
const ORDER_COLUMNS: Record<PollColumn, string> = { title: 'title COLLATE NOCASE', ends: 'ends_at' }

/**
 * Without `order`, newest first by rowid. ?1 is the cursor's rowid; with `order`, the query looks up that row's value.
 * A search of three or more characters uses the trigram index, a shorter one matches the start of the title.
 */
function pollsQuery({ q, order, cursor }: PollListParams): string {
  const length = [...q].length
  const condition =
    length === 0
      ? "?2 = ''"
      : length < 3
        ? 'polls.title COLLATE NOCASE >= ?2 AND polls.title COLLATE NOCASE < ?2 || char(1114111)'
        : 'polls.rowid IN (SELECT rowid FROM poll_search WHERE poll_search MATCH ?2)'
  if (order === null && length > 2)
    return `${POLL_SELECT} FROM poll_search JOIN polls ON polls.rowid = poll_search.rowid ${AUTHOR_JOIN}
      WHERE poll_search MATCH ?2 AND poll_search.rowid < ?1 ORDER BY poll_search.rowid DESC ${LIMIT}`
  if (order === null)
    return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE polls.rowid < ?1 AND ${condition} ORDER BY polls.rowid DESC ${LIMIT}`
  const column = ORDER_COLUMNS[order.column]
  const [direction, after] = order.descending ? ['DESC', '<'] : ['ASC', '>']
  const afterCondition =
    cursor === null ? '' : `AND (${column}, polls.rowid) ${after} (SELECT ${column}, rowid FROM polls WHERE rowid = ?1)`
  return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE ${condition} ${afterCondition}
    ORDER BY ${column} ${direction}, polls.rowid ${direction} ${LIMIT}`
}

/** A page of all polls, newest first or sorted by a column. @throws AppError `bad_input`. */
export async function listPolls(db: Db, params: PollListParams, at: Millis): Promise<Page<AdminPoll>> {
  const { q, cursor } = params
  const searchTerm = [...q].length < 3 ? q : `"${q.replaceAll('"', '""')}"`
  const { results } = await db.$client
    .prepare(pollsQuery(params))
    .bind(parseNumericCursor(cursor).id, searchTerm, at)
    .all<PollRow>()
  const { rows, next } = paginate(results, limits.adminPageSize)
  return {
    rows: rows.map(({ publicId, at, options, official, endsAt, zone, ...row }) => ({
      ...row,
      id: publicId,
      options: JSON.parse(options),
      official: official === 1,
      lastDay: utcToZonedTime(endsAt - 1, zone).date,
      createdAt: new Date(at).toISOString(),
      endDate: new Date(endsAt).toISOString(),
    })),
    next,
  }
}
