import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { sign } from '../lib/crypto'
import { attempts } from './quotas.table'

/** At most `max` per `windowMs`, which starts with the first use. */
export type Quota = { name: string; max: number; windowMs: Millis }

/**
 * All quotas. A mailbox is an address without aliases; a network is an IPv4 /24 or an IPv6 /48, for sign-ups a /64.
 * Names are parts of stored keys.
 */
export const QUOTAS = {
  /** Emails that strangers cause at a mailbox, of all kinds but reset links; from one network by forms; and in total. */
  strangerEmailsPerMailbox: { name: 'mail-stranger', max: 6, windowMs: DAY_MS },
  strangerEmailsPerNetwork: { name: 'mail-network', max: 200, windowMs: DAY_MS },
  strangerEmailsInTotal: { name: 'mail-strangers', max: 5_000, windowMs: DAY_MS },
  /** Emails that an account requests for its own address; unconfirmed aliases of a mailbox share one quota. */
  ownEmailsPerAddress: { name: 'mail-own', max: 6, windowMs: DAY_MS },
  unconfirmedAliasEmailsPerMailbox: { name: 'mail-own-alias', max: 6, windowMs: DAY_MS },
  emailChangesPerAccount: { name: 'mail-change', max: 5, windowMs: DAY_MS },
  resetLinksPerMailbox: { name: 'reset-mailbox', max: 3, windowMs: DAY_MS },
  resetLinksFromKnownDevices: { name: 'reset-device', max: 3, windowMs: DAY_MS },
  /** Inquiries that name an address, from one network; and those of the address's own account. */
  inquiriesPerAddressAndNetwork: { name: 'inquiry-network', max: 5, windowMs: DAY_MS },
  inquiriesPerAccount: { name: 'inquiry-account', max: 5, windowMs: DAY_MS },
  signupsPerNetwork: { name: 'signup-network', max: 20, windowMs: DAY_MS },
  signupsPerPrefix48: { name: 'signup-site', max: 100, windowMs: DAY_MS },
  /** Plays of a track that count, of a network's browsers without and with a device cookie. */
  playsWithoutDevice: { name: 'play-anonymous', max: 5, windowMs: DAY_MS },
  playsWithDevice: { name: 'play-device', max: 200, windowMs: DAY_MS },
  /** Wrong codes of a show by visitors of a network, and by its accounts. */
  checkInGuessesByVisitors: { name: 'door-guess', max: 30, windowMs: HOUR_MS },
  checkInGuessesByAccounts: { name: 'door-guess-accounts', max: 300, windowMs: HOUR_MS },
  /** Visitors' codes being checked, which bounds a burst of concurrent guesses. */
  checkInScansUnderWay: { name: 'door-scans', max: 130, windowMs: MINUTE_MS },
} as const satisfies Record<string, Quota>

/** One use of a quota: `amount` units, 1 by default, under a key of `quotaKey`. */
export type QuotaUse = { quota: Quota; key: string; amount?: number }

/** The stored key of who or what is limited, hashed: addresses are not stored. */
export const quotaKey = (secret: string, quota: Quota, ...parts: string[]): Promise<string> =>
  attemptKey(secret, quota.name, ...parts)

const toJson = (uses: readonly QuotaUse[]) =>
  JSON.stringify(uses.map(({ quota: { max, windowMs }, key, amount = 1 }) => ({ key, amount, max, windowMs })))

/** SQL condition: all these uses are within their quotas. */
export const isWithinQuotas = (uses: readonly QuotaUse[], now: Millis): SQL => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${toJson(uses)}) AS use
  LEFT JOIN attempts ON attempts.key = use.value ->> 'key' AND attempts.expires_at > ${now}
  WHERE coalesce(attempts.count, 0) + (use.value ->> 'amount') > (use.value ->> 'max'))`

/**
 * Statement that counts the uses if all are within their quotas and `when` holds, and nothing otherwise. Returns a row
 * for each counted use. Raw SQL: one upsert checks, counts and restarts expired windows.
 */
export function quotaStatement(db: Db, uses: readonly QuotaUse[], now: Millis, when: SQL = sql`true`) {
  return prepare(
    db,
    sql`INSERT INTO attempts (key, count, expires_at)
      SELECT value ->> 'key', value ->> 'amount', ${now} + (value ->> 'windowMs') FROM json_each(${toJson(uses)})
      WHERE ${when} AND ${isWithinQuotas(uses, now)}
      ON CONFLICT (key) DO UPDATE SET
        count = iif(attempts.expires_at <= ${now}, 0, attempts.count) + excluded.count,
        expires_at = iif(attempts.expires_at <= ${now}, excluded.expires_at, attempts.expires_at)
      RETURNING key`,
  )
}

/** Counts the uses, all or none. Returns false if a quota is used up. */
export async function consumeQuotas(
  { db }: Pick<Deps, 'db'>,
  uses: readonly QuotaUse[],
  now: Millis,
): Promise<boolean> {
  return (await quotaStatement(db, uses, now).all()).results.length === uses.length
}

/** Takes back counted uses of an action that failed. */
export async function releaseQuotas({ db }: Pick<Deps, 'db'>, uses: readonly QuotaUse[]): Promise<void> {
  const ofUse = sql`FROM json_each(${toJson(uses)}) AS use WHERE use.value ->> 'key' = attempts.key`
  await db.$client.batch([
    prepare(
      db,
      sql`DELETE FROM attempts WHERE EXISTS (SELECT 1 ${ofUse} AND use.value ->> 'amount' >= attempts.count)`,
    ),
    prepare(
      db,
      sql`UPDATE attempts SET count = count - (SELECT use.value ->> 'amount' ${ofUse})
        WHERE EXISTS (SELECT 1 ${ofUse} AND use.value ->> 'amount' < attempts.count)`,
    ),
  ])
}

/** At most `max` attempts per `windowMs`; the window starts with the first attempt. */
export type AttemptLimit = { max: number; windowMs: Millis }

/** `<scope>:<keyed hash>`: names and addresses are not stored. */
export async function attemptKey(secret: string, scope: string, ...parts: string[]): Promise<string> {
  return `${scope}:${await sign(secret, 'attempts', [scope, ...parts].join('\n'))}`
}

/** One attempt to count. */
type Attempt = { key: string; windowMs: Millis; now: Millis }

// Raw SQL: one upsert counts and restarts the window.
const INCREMENT = (now: string) => `
  count = CASE WHEN attempts.expires_at <= ${now} THEN 1 ELSE attempts.count + 1 END,
  expires_at = CASE WHEN attempts.expires_at <= ${now} THEN excluded.expires_at ELSE attempts.expires_at END`

/**
 * Statement that increments the counter and returns `count`, restarting at 1 after the window. With `unlessOver`, does
 * nothing and returns no row when that other counter exceeds its limit.
 */
export function countAttempt(
  db: Db,
  { key, windowMs, now, unlessOver }: Attempt & { unlessOver?: { key: string; max: number } },
): D1PreparedStatement {
  return db.$client
    .prepare(
      `INSERT INTO attempts (key, count, expires_at)
       SELECT ?1, 1, ?2 + ?3 WHERE ?4 IS NULL
         OR coalesce((SELECT count FROM attempts WHERE key = ?4 AND expires_at > ?2), 0) <= ?5
       ON CONFLICT (key) DO UPDATE SET ${INCREMENT('?2')} RETURNING count`,
    )
    .bind(key, now, windowMs, unlessOver?.key ?? null, unlessOver?.max ?? null)
}

/** Statement that resets the counter of a key. */
export function clearAttempts(db: Db, key: string): D1PreparedStatement {
  return prepare(db, sql`DELETE FROM ${attempts} WHERE key = ${key}`)
}

/** Counts one attempt; false if it exceeds the limit. */
export async function consumeAttempt(
  db: Db,
  key: string,
  { max, windowMs }: AttemptLimit,
  now: Millis,
): Promise<boolean> {
  const row = await countAttempt(db, { key, windowMs, now }).first<{ count: number }>()
  return (row?.count ?? max + 1) <= max
}

/** Attempts in the current window, without counting one. */
export async function attemptCount(db: Db, key: string, now: Millis): Promise<number> {
  const inWindow = and(eq(attempts.key, key), gt(attempts.expiresAt, now))
  const [row] = await db.select({ count: attempts.count }).from(attempts).where(inWindow)
  return row?.count ?? 0
}
