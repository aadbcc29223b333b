import type { AudienceCount } from '../contract/broadcasts'
import type { Db } from '../db/client'
import { limits } from '../limits'
import type { broadcasts } from './broadcasts.table'

export type AudienceKind = (typeof broadcasts.$inferSelect)['audience']

const CITY_WITHOUT_REGION = "substr(?3, 1, instr(?3, ', ') - 1)"

/**
 * SELECT of confirmed recipients. ?1 belongs to the statement around it, ?2 is the last `row_key` of the previous page,
 * ?3 the audience's key (city or tier).
 * The `+` and the CROSS JOIN make SQLite read the page in index order instead of sorting all recipients.
 */
const RECIPIENTS_SQL: Record<AudienceKind, string> = {
  all: `SELECT s.id AS row_key, s.email AS email, s.email_key FROM subscribers s
    WHERE +s.state = 'confirmed' AND s.id > ?2 AND ?3 IS NULL`,
  city: `SELECT s.id AS row_key, s.email AS email, s.email_key FROM subscribers s
    WHERE +s.state = 'confirmed' AND s.id > ?2 AND s.city_key = ?3`,
  tier: `SELECT s.id AS row_key, s.email AS email, s.email_key FROM subscribers s
    CROSS JOIN users u ON u.email_key = s.email_key AND u.tier = ?3 AND u.erased_at IS NULL AND u.banned_at IS NULL
    WHERE +s.state = 'confirmed' AND s.id > ?2`,
  // An alert without a city matches every show, and `tampa` and `tampa, fl` match each other. The range finds keys that
  // begin with `?3, `: `-` follows `,` in ASCII.
  alerts: `SELECT a.id AS row_key, a.entry AS email, a.email_key FROM show_alerts a
    WHERE a.confirmed_at IS NOT NULL AND a.email_key IS NOT NULL AND a.id > ?2 AND (
      a.city_key IS NULL OR a.city_key = ?3
      OR a.city_key = ${CITY_WITHOUT_REGION} OR (a.city_key > ?3 || ', ' AND a.city_key < ?3 || '-'))`,
}

/** SQL of one page of recipients. Binds ?2 and ?3 as `RECIPIENTS_SQL`. */
export const recipientPageSql = (kind: AudienceKind): string =>
  `${RECIPIENTS_SQL[kind]} ORDER BY row_key LIMIT ${limits.broadcastPageSize}`

/** Number of an audience's recipients; `key` is the normalized city or the tier, null for all. */
export async function countRecipients(db: Db, kind: AudienceKind, key: string | null): Promise<number> {
  const row = await db.$client
    .prepare(`SELECT count(DISTINCT email_key) AS n FROM (${RECIPIENTS_SQL[kind]})`)
    .bind(null, '', key)
    .first<{ n: number }>()
  return row?.n ?? 0
}

/** The audiences that an administrator can choose, each with its number of confirmed recipients. */
export async function listAudiences({ $client: d1 }: Db): Promise<AudienceCount[]> {
  const [all, tiers, cities] = await d1.batch<{ value: string; n: number }>([
    d1.prepare("SELECT '' AS value, count(*) AS n FROM subscribers WHERE state = 'confirmed'"),
    d1.prepare(
      `SELECT u.tier AS value, count(*) AS n FROM subscribers s JOIN users u ON u.email_key = s.email_key
       WHERE s.state = 'confirmed' AND u.erased_at IS NULL AND u.banned_at IS NULL GROUP BY u.tier`,
    ),
    d1.prepare(
      `SELECT min(city) AS value, count(*) AS n FROM subscribers
       WHERE state = 'confirmed' AND city_key IS NOT NULL GROUP BY city_key ORDER BY n DESC, value LIMIT 100`,
    ),
  ])
  const toAudiences = (kind: 'all' | 'tier' | 'city', counts: typeof all) =>
    (counts?.results ?? []).map(({ value, n }) => ({ kind, value: kind === 'all' ? null : value, people: n }))
  return [...toAudiences('all', all), ...toAudiences('tier', tiers), ...toAudiences('city', cities)]
}
