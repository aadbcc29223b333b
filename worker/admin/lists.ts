import type { CityDemand, DeskPoll, DeskReader, PollColumn } from '../contract/desk-lists'
import { type Millis, wallClock } from '../lib/clock'
import { fold } from '../lib/fold'
import { type Order, paged, positionOf } from '../lib/keyset'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'
import { base64url, fromBase64url } from '../lib/secret'
import { limits } from '../limits'

type Asked = { q: string; cursor: string | null }
const PAGE = limits.deskRows + 1

/** The row that a cursor stands behind. @throws Refused `bad_input` for a cursor that we never gave. */
function rowBehind(cursor: string | null): number {
  const { id } = positionOf(cursor)
  const row = id === '' ? Number.MAX_SAFE_INTEGER : Number(id)
  if (!Number.isSafeInteger(row)) throw noSuchPage()
  return row
}
const noSuchPage = () => new Refused('bad_input', 'That page of the list does not exist.')

const READER = `SELECT rowid AS place, id AS name, email, state, coalesce(city, '') AS city, created_at AS at FROM subscribers`
/** Newest first: rows are given in order. */
export const READERS = `${READER} WHERE rowid < ?1 ORDER BY rowid DESC LIMIT ${PAGE}`
/** By how the address begins, by the address's own index. */
export const READERS_FOUND = `${READER} WHERE email_key >= ?2 AND email_key < ?2 || char(1114111) AND rowid < ?1
  ORDER BY rowid DESC LIMIT ${PAGE}`

type Row<T> = T & { place: number; name: string; at: Millis }

/** A page of the newsletter's addresses, newest first, masked. @throws Refused `bad_input`. */
export async function readers(
  db: D1Database,
  { q, cursor }: Asked,
): Promise<{ rows: DeskReader[]; next: string | null }> {
  const before = rowBehind(cursor)
  const query = q === '' ? db.prepare(READERS).bind(before) : db.prepare(READERS_FOUND).bind(before, fold(q))
  const { results } = await query.all<Row<Omit<DeskReader, 'id' | 'joinedAt'>>>()
  const { rows, next } = paged(
    results.map((row) => ({ ...row, id: row.place })),
    limits.deskRows,
  )
  return {
    rows: rows.map(({ name, email, state, city, at }) => ({
      id: name,
      email: maskedAddress(email),
      state,
      city,
      joinedAt: new Date(at).toISOString(),
    })),
    next,
  }
}

export const DEMAND = `SELECT city_key AS key, city, people FROM city_demand WHERE people > 0
  AND (people < ?1 OR (people = ?1 AND city_key > ?2)) AND (?3 = '' OR instr(city_key, ?3)) ORDER BY people DESC, city_key LIMIT ${PAGE}`

/** A page of the cities that people asked for, most wanted first. @throws Refused `bad_input`. */
export async function demand(
  db: D1Database,
  { q, cursor }: Asked,
): Promise<{ rows: CityDemand[]; next: string | null }> {
  const [, people, key] = cursor === null ? [] : (/^(\d{1,15})\.([\w-]{1,700})$/.exec(cursor) ?? [])
  if (cursor !== null && key === undefined) throw noSuchPage()
  const behind = key === undefined ? '' : new TextDecoder().decode(fromBase64url(key))
  const { results } = await db
    .prepare(DEMAND)
    .bind(people === undefined ? Number.MAX_SAFE_INTEGER : Number(people), behind, fold(q))
    .all<CityDemand & { key: string }>()
  const rows = results.slice(0, limits.deskRows)
  const last = rows.at(-1)
  return {
    rows: rows.map(({ city, people }) => ({ city, people })),
    next:
      results.length > rows.length && last ? `${last.people}.${base64url(new TextEncoder().encode(last.key))}` : null,
  }
}

type PollRow = Pick<DeskPoll, 'title' | 'description' | 'by' | 'votes' | 'state'> & {
  official: number
  options: string
  endsAt: Millis
  zone: string
}
/** ?3 is now. Options and votes are read for the page's rows alone. */
const POLL = `SELECT polls.rowid AS place, polls.id AS name, polls.title, description, official, coalesce(username, '') AS by,
    polls.created_at AS at, ends_at AS endsAt,
    (SELECT json_group_array(title) FROM (SELECT title FROM poll_options WHERE poll_id = polls.id ORDER BY position)) AS options,
    coalesce((SELECT time_zone FROM site), 'UTC') AS zone, (SELECT coalesce(sum(votes), 0) FROM poll_options WHERE poll_id = polls.id) AS votes,
    CASE WHEN hidden_at IS NOT NULL THEN 'hidden' WHEN ends_at <= ?3 THEN 'closed' ELSE 'open' END AS state`
const MAKER = 'LEFT JOIN users ON users.id = created_by'
type AskedPolls = Asked & { order: Order<PollColumn> | null }
const ORDERED: Record<PollColumn, string> = { title: 'title COLLATE NOCASE', ends: 'ends_at' }

/**
 * Rows are given in order, so the newest is the last one; ?1 is the row behind which the page begins, and where it stands
 * in another order is looked up. Three letters and more are found by their trigrams (migration 0031), fewer by how a
 * title begins. Names of columns are ours, never a request's.
 */
export function pollsQuery({ q, order, cursor }: AskedPolls): string {
  const letters = [...q].length
  const found =
    letters === 0
      ? "?2 = ''"
      : letters < 3
        ? 'polls.title COLLATE NOCASE >= ?2 AND polls.title COLLATE NOCASE < ?2 || char(1114111)'
        : 'polls.rowid IN (SELECT rowid FROM poll_search WHERE poll_search MATCH ?2)'
  if (order === null && letters > 2)
    return `${POLL} FROM poll_search JOIN polls ON polls.rowid = poll_search.rowid ${MAKER}
      WHERE poll_search MATCH ?2 AND poll_search.rowid < ?1 ORDER BY poll_search.rowid DESC LIMIT ${PAGE}`
  if (order === null)
    return `${POLL} FROM polls ${MAKER} WHERE polls.rowid < ?1 AND ${found} ORDER BY polls.rowid DESC LIMIT ${PAGE}`
  const [by, way, behind] = [ORDERED[order.column], order.descending ? 'DESC' : 'ASC', order.descending ? '<' : '>']
  const rest =
    cursor === null ? '' : `AND (${by}, polls.rowid) ${behind} (SELECT ${by}, rowid FROM polls WHERE rowid = ?1)`
  return `${POLL} FROM polls ${MAKER} WHERE ${found} ${rest}
    ORDER BY ${by} ${way}, polls.rowid ${way} LIMIT ${PAGE}`
}

/** A page of every poll, newest first or in another order, with what became of it. @throws Refused `bad_input`. */
export async function deskPolls(
  db: D1Database,
  asked: AskedPolls,
  at: Millis,
): Promise<{ rows: DeskPoll[]; next: string | null }> {
  const { results } = await db
    .prepare(pollsQuery(asked))
    .bind(rowBehind(asked.cursor), [...asked.q].length < 3 ? asked.q : `"${asked.q.replaceAll('"', '""')}"`, at)
    .all<Row<PollRow>>()
  const { rows, next } = paged(
    results.map((row) => ({ ...row, id: row.place })),
    limits.deskRows,
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
      lastDay: wallClock(endsAt - 1, zone).date,
      createdAt: new Date(at).toISOString(),
      endDate: new Date(endsAt).toISOString(),
    })),
    next,
  }
}
