import { sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, processDueRows } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import type { PersonalData } from '../gdpr/personal-data'
import { DAY_MS, type Millis } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'

const BATCH_SIZE = 500

export const personalData: PersonalData = {
  name: 'newsletter',
  // A visitor may have entered the address of an unconfirmed account, so a pending row is deleted only if this account
  // requested it: then the account's sign-up points have the time of the consent.
  erase: ({ userId }) => [
    sql`DELETE FROM subscribers WHERE state = 'pending'
      AND email_key = (SELECT email_key FROM users WHERE id = ${userId})
      AND consent_at = (SELECT created_at FROM ledger WHERE user_id = ${userId} AND key = 'newsletter_signup')`,
  ],
  byAddress: {
    counts: ({ emailKey }) => ({ newsletter: sql`SELECT count(*) FROM subscribers WHERE email_key = (${emailKey})` }),
    export: ({ emailKey }) => ({
      newsletter: sql`SELECT email, state, city, consent_version, consent_at, confirmed_at, unsubscribed_at FROM subscribers
        WHERE email_key = (${emailKey})`,
    }),
    erase: ({ emailKey }) => [sql`DELETE FROM subscribers WHERE email_key = (${emailKey})`],
  },
  retention: [{ name: 'Delete unsubscribed addresses', step: deleteUnsubscribed }],
}

export async function deleteUnconfirmedSubscribers({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const deleted = await db.$client
    .prepare(
      `DELETE FROM subscribers WHERE id IN (
         SELECT id FROM subscribers WHERE state = 'pending' AND consent_at <= ?1 ORDER BY consent_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.unconfirmedDays * DAY_MS)
    .all()
  return batchResult(deleted, BATCH_SIZE)
}

/** A keyed hash remains as long as those of bounces, so that no later import subscribes the address. */
function deleteUnsubscribed({ db, secret }: Pick<Deps, 'db' | 'secret'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT id, unsubscribed_at AS since FROM subscribers
      WHERE state = 'unsubscribed' AND unsubscribed_at <= ?1 ORDER BY unsubscribed_at`,
    months: RETENTION.unsubscribedMonths,
    at,
    size: BATCH_SIZE,
    change: async (ids) => [
      db.$client
        .prepare(
          `INSERT INTO mail_stops (hash, reason, mail_id, created_at)
           SELECT value ->> '$.hash', 'unsubscribed', NULL, ?2 FROM json_each(?1)
           JOIN subscribers ON subscribers.id = value ->> '$.id' WHERE subscribers.state = 'unsubscribed'
           ON CONFLICT (hash) DO NOTHING`,
        )
        .bind(JSON.stringify(await hashesOf({ db, secret }, ids)), at),
      db.$client
        .prepare("DELETE FROM subscribers WHERE id IN (SELECT value FROM json_each(?1)) AND state = 'unsubscribed'")
        .bind(ids),
    ],
  })
}

async function hashesOf({ db, secret }: Pick<Deps, 'db' | 'secret'>, ids: string) {
  const rows = await db.all<{ id: string; key: string }>(
    sql`SELECT id, email_key AS key FROM subscribers WHERE id IN (SELECT value FROM json_each(${ids}))`,
  )
  return Promise.all(rows.map(async ({ id, key }) => ({ id, hash: await suppressionHash(secret, key) })))
}
