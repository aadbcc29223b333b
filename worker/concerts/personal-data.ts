import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, processDueRows } from '../db/cleanup-batches'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import type { DataSubject, PersonalData } from '../gdpr/personal-data'
import { DAY_MS, type Millis } from '../lib/clock'
import { requesterHash } from './city-requests'

const BATCH_SIZE = 500
// Random, so that two erased requesters of one city still count as two.
const ANONYMOUS_REQUESTER = "'anonymous:' || lower(hex(randomblob(12)))"

const alertsOf = ({ emailKey }: DataSubject) =>
  sql`show_alerts WHERE email_key IS NOT NULL AND email_key = (${emailKey})`
const requesterOf = (secret: string, userId: number, at: Millis) => requesterHash(secret, { userId, address: '', at })

/** Show alerts and city requests. */
export const personalData: PersonalData = {
  name: 'concerts',
  export: async ({ userId, at }, { secret }) => ({
    cityRequests: sql`SELECT city, created_at FROM city_requests
      WHERE requester = ${await requesterOf(secret, userId, at)} ORDER BY created_at`,
  }),
  erase: async ({ userId, at }, { secret }) => [
    sql`UPDATE city_requests SET requester = ${sql.raw(ANONYMOUS_REQUESTER)}
      WHERE requester = ${await requesterOf(secret, userId, at)}`,
    // Only the account with an address can request its alerts for a city, so these are deleted even if unconfirmed.
    sql`DELETE FROM show_alerts WHERE confirmed_at IS NULL AND city IS NOT NULL
      AND email_key = (SELECT email_key FROM users WHERE id = ${userId})`,
  ],
  byAddress: {
    counts: (subject) => ({ showAlerts: sql`SELECT count(*) FROM ${alertsOf(subject)}` }),
    export: (subject) => ({
      showAlerts: sql`SELECT entry, city, confirmed_at, created_at FROM ${alertsOf(subject)} ORDER BY created_at`,
    }),
    erase: (subject) => [
      sql`DELETE FROM ${alertsOf(subject)}`,
      sql`DELETE FROM show_alerts WHERE entry_key IN (SELECT 'phone:' || hash FROM (${subject.phoneHashes}))`,
    ],
  },
  retention: [
    { name: 'Anonymise analytics', step: anonymizeCityRequests },
    { name: 'Delete old city requests', step: deleteOldCityRequests },
  ],
}

/**
 * Deletes a batch of alerts that were not confirmed in time. A step of the job 'Delete unconfirmed addresses'
 * (gdpr/personal-data-registry.ts).
 */
export async function deleteUnconfirmedAlerts({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM show_alerts WHERE id IN (
         SELECT id FROM show_alerts WHERE confirmed_at IS NULL AND created_at <= ?1 ORDER BY created_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  return batchResult(deleted, BATCH_SIZE)
}

function anonymizeCityRequests({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processCityRequests(db, at, {
    months: RETENTION.analyticsAnonymizedMonths,
    condition: "requester NOT LIKE 'anonymous:%'",
    change: `UPDATE city_requests SET requester = ${ANONYMOUS_REQUESTER}`,
  })
}

function deleteOldCityRequests({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processCityRequests(db, at, {
    months: RETENTION.analyticsMonths,
    condition: 'true',
    change: 'DELETE FROM city_requests',
  })
}

const processCityRequests = (
  db: Db,
  at: Millis,
  { months, condition, change }: { months: number; condition: string; change: string },
): Promise<BatchResult> =>
  processDueRows(db, {
    due: `SELECT rowid AS id, created_at AS since FROM city_requests WHERE created_at <= ?1 AND ${condition} ORDER BY created_at`,
    months,
    at,
    size: BATCH_SIZE,
    change: [`${change} WHERE rowid IN (SELECT value FROM json_each(?1)) AND ${condition}`],
  })
