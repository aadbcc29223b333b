import type { Millis } from '../lib/clock'
import type { Db } from './client'

/**
 * ?1 is now. `expiresAt`: next time at which public content changes without a write (a show starts, a poll ends, …).
 * Runs every few seconds in every isolate, so each line is one index lookup.
 */
const VERSION_SQL = `
  SELECT version, (SELECT min(value) FROM json_each(json_array(
    (SELECT min(starts_at) FROM concerts WHERE starts_at > ?1),
    (SELECT min(ends_at) FROM concerts WHERE ends_at > ?1),
    (SELECT min(released_at) FROM releases WHERE released_at > ?1),
    (SELECT min(released_at) FROM tracks WHERE released_at > ?1),
    (SELECT min(ends_at) FROM polls WHERE ends_at > ?1 AND hidden_at IS NULL),
    (SELECT min(value) FROM challenges, json_each(json_array(submissions_open_at, submissions_close_at, finalists_at,
      voting_opens_at, voting_closes_at, publish_at)) WHERE publish_at > ?1 AND value > ?1)))) AS expiresAt
  FROM data_version`

/** Version of the public content, and its next scheduled change (null for none). */
export async function readDataVersion(db: Db, at: Millis): Promise<{ version: number; expiresAt: Millis | null }> {
  const row = await db.$client.prepare(VERSION_SQL).bind(at).first<{ version: number; expiresAt: Millis | null }>()
  if (!row) throw new Error('The data version is missing.')
  return row
}
