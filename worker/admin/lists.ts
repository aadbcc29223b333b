import { and, desc, gt, lt, type SQL, sql } from 'drizzle-orm'
import { cityTotals } from '../concerts/concerts.table'
import type { AdminPoll, AdminSubscriber, CityRequestCount, PollColumn } from '../contract/admin'
import type { Db } from '../db/client'
import { invalidCursor, paginate, parseNumericCursor, type SortOrder } from '../db/pagination'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { base64url, fromBase64url } from '../lib/crypto'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { subscribers } from '../newsletter/newsletter.table'

type ListParams = { q: string; cursor: string | null }
type Page<Row> = { rows: Row[]; next: string | null }
const PAGE_LIMIT = limits.adminPageSize + 1

/** The newest subscribers before a rowid, optionally those whose email starts with `prefix`. */
export function subscribersQuery(db: Db, { prefix, beforeRowid }: { prefix: string; beforeRowid: number }) {
  const rowid = sql<number>`subscribers.rowid`
  return db
    .select({
      id: rowid,
      publicId: subscribers.id,
      email: subscribers.email,
      state: subscribers.state,
      city: subscribers.city,
      at: subscribers.createdAt,
    })
    .from(subscribers)
    .where(and(lt(rowid, beforeRowid), prefix === '' ? undefined : startsWith(sql`${subscribers.emailKey}`, prefix)))
    .orderBy(desc(rowid))
    .limit(PAGE_LIMIT)
}

/** SQL: an indexable prefix match. char(1114111) sorts after every character. */
const startsWith = (column: SQL, prefix: string) =>
  sql`${column} >= ${prefix} AND ${column} < ${prefix} || char(1114111)`

/** A page of newsletter subscribers, newest first, emails masked. @throws AppError `bad_input`. */
export async function listSubscribers(db: Db, { q, cursor }: ListParams): Promise<Page<AdminSubscriber>> {
  const { id: beforeRowid } = parseNumericCursor(cursor)
  const results = await subscribersQuery(db, { prefix: normalizeKey(q), beforeRowid })
  const { rows, next } = paginate(results, limits.adminPageSize)
  return {
    rows: rows.map(({ publicId, email, state, city, at }) => ({
      id: publicId,
      email: maskEmail(email),
      state,
      city: city ?? '',
      joinedAt: new Date(at).toISOString(),
    })),
    next,
  }
}

/** A page of requested cities, most requested first. @throws AppError `bad_input`. */
export async function listCityRequests(db: Db, { q, cursor }: ListParams): Promise<Page<CityRequestCount>> {
  const results = await db
    .select()
    .from(cityTotals)
    .where(
      and(
        gt(cityTotals.people, 0),
        afterCity(cursor),
        q === '' ? undefined : sql`instr(${cityTotals.cityKey}, ${normalizeKey(q)})`,
      ),
    )
    .orderBy(desc(cityTotals.people), cityTotals.cityKey)
    .limit(PAGE_LIMIT)
  const rows = results.slice(0, limits.adminPageSize)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ city, people }) => ({ city, people })),
    next:
      results.length > rows.length && last
        ? `${last.people}.${base64url(new TextEncoder().encode(last.cityKey))}`
        : null,
  }
}

/** The cursor of cities holds a count and an encoded key. @throws AppError `bad_input`. */
function afterCity(cursor: string | null): SQL | undefined {
  if (cursor === null) return undefined
  const [, people, encodedKey] = /^(\d{1,15})\.([\w-]{1,700})$/.exec(cursor) ?? []
  if (encodedKey === undefined) throw invalidCursor()
  const key = new TextDecoder().decode(fromBase64url(encodedKey))
  return sql`(${cityTotals.people} < ${Number(people)} OR (${cityTotals.people} = ${Number(people)} AND ${cityTotals.cityKey} > ${key}))`
}

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
 * Newest first means by rowid, descending; ?1 is the rowid of the cursor, whose position in another order is looked up.
 * Three or more characters use the trigram index, fewer match the start of the title.
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
      WHERE poll_search MATCH ?2 AND poll_search.rowid < ?1 ORDER BY poll_search.rowid DESC LIMIT ${PAGE_LIMIT}`
  if (order === null)
    return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE polls.rowid < ?1 AND ${condition} ORDER BY polls.rowid DESC LIMIT ${PAGE_LIMIT}`
  const column = ORDER_COLUMNS[order.column]
  const [direction, after] = order.descending ? ['DESC', '<'] : ['ASC', '>']
  const afterCondition =
    cursor === null ? '' : `AND (${column}, polls.rowid) ${after} (SELECT ${column}, rowid FROM polls WHERE rowid = ?1)`
  return `${POLL_SELECT} FROM polls ${AUTHOR_JOIN} WHERE ${condition} ${afterCondition}
    ORDER BY ${column} ${direction}, polls.rowid ${direction} LIMIT ${PAGE_LIMIT}`
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
