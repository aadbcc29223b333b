import type { AdminPoll, AdminSubscriber, CityRequestCount, PollColumn } from '../contract/admin'
import { paginate, parseCursor, type SortOrder } from '../db/pagination'
import { AppError } from '../lib/app-error'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { base64url, fromBase64url } from '../lib/crypto'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'

type ListParams = { q: string; cursor: string | null }
const PAGE_LIMIT = limits.adminPageSize + 1

/** The row that a cursor stands behind. @throws AppError `bad_input` for a cursor that we never gave. */
function rowidOfCursor(cursor: string | null): number {
  const { id } = parseCursor(cursor)
  const row = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(row)) throw invalidCursorError()
  return row
}
const invalidCursorError = () => new AppError('bad_input', 'That page of the list does not exist.')

const SUBSCRIBER_SELECT = `SELECT rowid AS place, id AS name, email, state, coalesce(city, '') AS city, created_at AS at FROM subscribers`
/** Newest first: rows are given in order. */
export const SUBSCRIBERS = `${SUBSCRIBER_SELECT} WHERE rowid < ?1 ORDER BY rowid DESC LIMIT ${PAGE_LIMIT}`
/** By how the address begins, by the address's own index. */
export const SUBSCRIBERS_BY_EMAIL = `${SUBSCRIBER_SELECT} WHERE email_key >= ?2 AND email_key < ?2 || char(1114111) AND rowid < ?1
  ORDER BY rowid DESC LIMIT ${PAGE_LIMIT}`

type ListRow<T> = T & { place: number; name: string; at: Millis }

/** A page of the newsletter's addresses, newest first, masked. @throws AppError `bad_input`. */
export async function listSubscribers(
  db: D1Database,
  { q, cursor }: ListParams,
): Promise<{ rows: AdminSubscriber[]; next: string | null }> {
  const beforeRowid = rowidOfCursor(cursor)
  const query =
    q === ''
      ? db.prepare(SUBSCRIBERS).bind(beforeRowid)
      : db.prepare(SUBSCRIBERS_BY_EMAIL).bind(beforeRowid, normalizeKey(q))
  const { results } = await query.all<ListRow<Omit<AdminSubscriber, 'id' | 'joinedAt'>>>()
  const { rows, next } = paginate(
    results.map((row) => ({ ...row, id: row.place })),
    limits.adminPageSize,
  )
  return {
    rows: rows.map(({ name, email, state, city, at }) => ({
      id: name,
      email: maskEmail(email),
      state,
      city,
      joinedAt: new Date(at).toISOString(),
    })),
    next,
  }
}

export const CITY_REQUESTS = `SELECT city_key AS key, city, people FROM city_demand WHERE people > 0
  AND (people < ?1 OR (people = ?1 AND city_key > ?2)) AND (?3 = '' OR instr(city_key, ?3)) ORDER BY people DESC, city_key LIMIT ${PAGE_LIMIT}`

/** A page of the cities that people asked for, most wanted first. @throws AppError `bad_input`. */
export async function listCityRequests(
  db: D1Database,
  { q, cursor }: ListParams,
): Promise<{ rows: CityRequestCount[]; next: string | null }> {
  const [, afterCount, key] = cursor === null ? [] : (/^(\d{1,15})\.([\w-]{1,700})$/.exec(cursor) ?? [])
  if (cursor !== null && key === undefined) throw invalidCursorError()
  const afterKey = key === undefined ? '' : new TextDecoder().decode(fromBase64url(key))
  const { results } = await db
    .prepare(CITY_REQUESTS)
    .bind(afterCount === undefined ? Number.MAX_SAFE_INTEGER : Number(afterCount), afterKey, normalizeKey(q))
    .all<CityRequestCount & { key: string }>()
  const rows = results.slice(0, limits.adminPageSize)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ city, people }) => ({ city, people })),
    next:
      results.length > rows.length && last ? `${last.people}.${base64url(new TextEncoder().encode(last.key))}` : null,
  }
}

type PollRow = Pick<AdminPoll, 'title' | 'description' | 'by' | 'votes' | 'state'> & {
  official: number
  options: string
  endsAt: Millis
  zone: string
}
/** ?3 is now. Options and votes are read for the page's rows alone. */
const POLL_SELECT = `SELECT polls.rowid AS place, polls.id AS name, polls.title, description, official, coalesce(username, '') AS by,
    polls.created_at AS at, ends_at AS endsAt,
    (SELECT json_group_array(title) FROM (SELECT title FROM poll_options WHERE poll_id = polls.id ORDER BY position)) AS options,
    coalesce((SELECT time_zone FROM site), 'UTC') AS zone, (SELECT coalesce(sum(votes), 0) FROM poll_options WHERE poll_id = polls.id) AS votes,
    CASE WHEN hidden_at IS NOT NULL THEN 'hidden' WHEN ends_at <= ?3 THEN 'closed' ELSE 'open' END AS state`
const AUTHOR_JOIN = 'LEFT JOIN users ON users.id = created_by'
type PollListParams = ListParams & { order: SortOrder<PollColumn> | null }
const ORDER_COLUMNS: Record<PollColumn, string> = { title: 'title COLLATE NOCASE', ends: 'ends_at' }

/**
 * Rows are given in order, so the newest is the last one; ?1 is the row behind which the page begins, and where it stands
 * in another order is looked up. Three letters and more are found by their trigrams (migration 0031), fewer by how a
 * title begins. Names of columns are ours, never a request's.
 */
export function pollsQuery({ q, order, cursor }: PollListParams): string {
  const length = [...q].length
  const condition =
    length === 0
      ? "?2 = ''"
      : length < 3
        ? 'polls.title COLLATE NOCASE >= ?2 AND polls.title COLLATE NOCASE < ?2 || char(1114111)'
        : 'polls.rowid IN (SELECT rowid FROM poll_search WHERE poll_search MATCH ?2)'
  if (order === null && length > 2)
    return `${POLL_SELECT} FROM poll_search JOIN polls ON polls.rowid = poll_search.rowid ${AUTHOR_JOIN}
      WHERE poll_search MATCH ?2 AND poll_search.rowid < ?1 ORDER BY poll_search.rowid DESC LIMIT ${PAGE_LIMIT}`
  if (order === null)
    return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE polls.rowid < ?1 AND ${condition} ORDER BY polls.rowid DESC LIMIT ${PAGE_LIMIT}`
  const [column, direction, behind] = [
    ORDER_COLUMNS[order.column],
    order.descending ? 'DESC' : 'ASC',
    order.descending ? '<' : '>',
  ]
  const afterCondition =
    cursor === null
      ? ''
      : `AND (${column}, polls.rowid) ${behind} (SELECT ${column}, rowid FROM polls WHERE rowid = ?1)`
  return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE ${condition} ${afterCondition}
    ORDER BY ${column} ${direction}, polls.rowid ${direction} LIMIT ${PAGE_LIMIT}`
}

/** A page of every poll, newest first or in another order, with what became of it. @throws AppError `bad_input`. */
export async function listPolls(
  db: D1Database,
  params: PollListParams,
  at: Millis,
): Promise<{ rows: AdminPoll[]; next: string | null }> {
  const { results } = await db
    .prepare(pollsQuery(params))
    .bind(rowidOfCursor(params.cursor), [...params.q].length < 3 ? params.q : `"${params.q.replaceAll('"', '""')}"`, at)
    .all<ListRow<PollRow>>()
  const { rows, next } = paginate(
    results.map((row) => ({ ...row, id: row.place })),
    limits.adminPageSize,
  )
  return {
    rows: rows.map(({ name, title, description, official, options, by, votes, state, at, endsAt, zone }) => ({
      id: name,
      title,
      description,
      options: JSON.parse(options),
      official: official === 1,
      by,
      votes,
      state,
      lastDay: utcToZonedTime(endsAt - 1, zone).date,
      createdAt: new Date(at).toISOString(),
      endDate: new Date(endsAt).toISOString(),
    })),
    next,
  }
}
