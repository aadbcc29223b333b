import { type SQL, sql } from 'drizzle-orm'
import { OPEN_PARAM, type ScreenId, screensOf } from '../contract/admin-screens'
import { MIN_SEARCH_LENGTH, type SearchHit } from '../contract/admin-search'
import type { TeamRole } from '../contract/endpoint'
import { type Db, prepare } from '../db/client'
import { containsText, listStatement, matchesSearch } from '../db/list'
import { type Millis, utcToZonedTime } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { supporterList } from '../users/admin-list'

const HITS_PER_KIND = 5

type HitRow = {
  id: string | number
  title: string
  detail: string
  tier?: SearchHit['tier']
  points?: SearchHit['points']
  startsAt?: Millis
  timeZone?: string
}
type Source = {
  kind: SearchHit['kind']
  /** Only team roles that can open this screen find these records. */
  screen: ScreenId
  query: (q: string) => SQL
  /** Fields of the hit that differ from those of the row or that only this kind has. */
  toHit?: (row: HitRow) => Partial<SearchHit>
  hrefOf: (id: string) => string
}

const SOURCES: readonly Source[] = [
  {
    kind: 'supporter',
    screen: 'supporters',
    query: (q) =>
      sql`SELECT id, username AS title, email AS detail, tier, points
        FROM (${listStatement(supporterList, { q, sort: null, cursor: null, filters: {} })}) LIMIT ${HITS_PER_KIND}`,
    toHit: ({ detail, tier, points }) => ({ detail: maskEmail(detail), tier, points }),
    hrefOf: (id) => `/admin/supporters/${id}`,
  },
  {
    kind: 'order',
    screen: 'orders',
    // Without orders that were never paid.
    query: (q) =>
      sql`SELECT orders.id, orders.id AS title, coalesce(orders.email, '') AS detail
        FROM orders LEFT JOIN users ON users.id = orders.user_id
        WHERE orders.status IN ('paid', 'refunded') AND ${matchesSearch(
          { texts: [sql`orders.id`, sql`users.username`], emails: [sql`lower(orders.email)`] },
          q,
        )} ORDER BY orders.created_at DESC, orders.id DESC LIMIT ${HITS_PER_KIND}`,
    toHit: ({ detail }) => ({ detail: detail === '' ? '' : maskEmail(detail) }),
    hrefOf: (id) => `/admin/orders/${encodeURIComponent(id)}`,
  },
  {
    kind: 'track',
    screen: 'music',
    query: (q) =>
      sql`SELECT id, title, artist AS detail FROM tracks
        WHERE removed_at IS NULL AND ${containsText([sql`title`, sql`artist`], q)} ORDER BY position, id LIMIT ${HITS_PER_KIND}`,
    hrefOf: (id) => `/admin/tracks/${id}`,
  },
  {
    kind: 'show',
    screen: 'concerts',
    query: (q) =>
      sql`SELECT id, venue || ', ' || city AS title, '' AS detail, starts_at AS startsAt, time_zone AS timeZone
        FROM concerts WHERE removed_at IS NULL AND ${containsText([sql`venue`, sql`city`], q)}
        ORDER BY starts_at DESC, id LIMIT ${HITS_PER_KIND}`,
    // The day at the venue, which can differ from the UTC day.
    toHit: ({ startsAt = 0, timeZone = 'UTC' }) => ({ detail: utcToZonedTime(startsAt, timeZone).date }),
    hrefOf: (id) => `/admin/concerts?${OPEN_PARAM}=${encodeURIComponent(id)}`,
  },
  {
    kind: 'product',
    screen: 'merch',
    query: (q) =>
      sql`SELECT id, name AS title, '' AS detail FROM products
        WHERE removed_at IS NULL AND ${containsText([sql`name`], q)} ORDER BY position, id LIMIT ${HITS_PER_KIND}`,
    hrefOf: (id) => `/admin/merch?${OPEN_PARAM}=${encodeURIComponent(id)}`,
  },
]

/** Records that match the text, in one round trip. A team role finds only records of its screens. */
export async function searchRecords(db: Db, role: TeamRole | null, text: string): Promise<SearchHit[]> {
  const q = text.trim()
  const screens = new Set<string>(screensOf(role).map(({ id }) => id))
  const sources = SOURCES.filter(({ screen }) => screens.has(screen))
  if ([...q].length < MIN_SEARCH_LENGTH || sources.length === 0) return []
  const results = await db.$client.batch<HitRow>(sources.map(({ query }) => prepare(db, query(q))))
  return sources.flatMap(({ kind, toHit, hrefOf }, i) =>
    (results[i]?.results ?? []).map((row) => {
      const id = String(row.id)
      return { kind, id, title: row.title, detail: row.detail, href: hrefOf(id), ...toHit?.(row) }
    }),
  )
}
