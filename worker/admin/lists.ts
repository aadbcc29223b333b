import type { CityDemand, DeskPoll, DeskReader } from '../contract/desk-lists'
import { type Millis, wallClock } from '../lib/clock'
import { fold } from '../lib/fold'
import { paged, positionOf } from '../lib/keyset'
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
export const POLLS = `SELECT polls.rowid AS place, polls.id AS name, title, description, official, coalesce(username, '') AS by,
    polls.created_at AS at, ends_at AS endsAt,
    (SELECT json_group_array(title) FROM (SELECT title FROM poll_options WHERE poll_id = polls.id ORDER BY position)) AS options,
    coalesce((SELECT time_zone FROM site), 'UTC') AS zone, (SELECT coalesce(sum(votes), 0) FROM poll_options WHERE poll_id = polls.id) AS votes,
    CASE WHEN hidden_at IS NOT NULL THEN 'hidden' WHEN ends_at <= ?3 THEN 'closed' ELSE 'open' END AS state
  FROM polls LEFT JOIN users ON users.id = created_by
  WHERE polls.rowid < ?1 AND (?2 = '' OR instr(lower(title), lower(?2))) ORDER BY polls.rowid DESC LIMIT ${PAGE}`

/** A page of every poll, newest first, with what became of it. @throws Refused `bad_input`. */
export async function deskPolls(
  db: D1Database,
  { q, cursor }: Asked,
  at: Millis,
): Promise<{ rows: DeskPoll[]; next: string | null }> {
  const { results } = await db.prepare(POLLS).bind(rowBehind(cursor), q, at).all<Row<PollRow>>()
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
