import { type SQL, sql } from 'drizzle-orm'
import { type Db, prepare } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis, SECOND_MS } from '../lib/clock'
import { sign } from '../lib/crypto'
import { attempts } from './quotas.table'

/** At most `max` per `windowMs`, which starts with the first use. */
export type Quota = { name: string; max: number; windowMs: Millis }

/**
 * All quotas. A network is an IPv4 /24 or an IPv6 /48; for sign-ups a /24 or /64, for logins an IPv4 address or a /64.
 * Names are parts of stored keys. Quotas that share a name differ in the other parts.
 */
export const QUOTAS = {
  /** Emails that strangers cause: to one mailbox (all but reset links), from one network (by forms), and in total. */
  strangerEmailsPerMailbox: { name: 'mail-stranger', max: 6, windowMs: DAY_MS },
  strangerEmailsPerNetwork: { name: 'mail-network', max: 200, windowMs: DAY_MS },
  strangerEmailsInTotal: { name: 'mail-strangers', max: 5_000, windowMs: DAY_MS },
  /** Emails that an account requests for its own address; unconfirmed aliases of a mailbox share one quota. */
  ownEmailsPerAddress: { name: 'mail-own', max: 6, windowMs: DAY_MS },
  unconfirmedAliasEmailsPerMailbox: { name: 'mail-own-alias', max: 6, windowMs: DAY_MS },
  emailChangesPerAccount: { name: 'mail-change', max: 5, windowMs: DAY_MS },
  resetLinksPerMailbox: { name: 'reset-mailbox', max: 3, windowMs: DAY_MS },
  resetLinksFromKnownDevices: { name: 'reset-device', max: 3, windowMs: DAY_MS },
  /** Privacy inquiries about an address from one network, and those from the address's own account. */
  inquiriesPerAddressAndNetwork: { name: 'inquiry-network', max: 5, windowMs: DAY_MS },
  inquiriesPerAccount: { name: 'inquiry-account', max: 5, windowMs: DAY_MS },
  /** Log-ins to an account: from one network or device (reset by a success), all networks, all known devices. */
  loginsPerNetwork: { name: 'login', max: 10, windowMs: 15 * MINUTE_MS },
  loginsFromNetworks: { name: 'login', max: 100, windowMs: 15 * MINUTE_MS },
  loginsFromKnownDevices: { name: 'login', max: 100, windowMs: 15 * MINUTE_MS },
  /** Passwords and emailed codes to re-authenticate; codes of an authenticator app. */
  reauthenticationsPerAccount: { name: 'prove', max: 10, windowMs: 15 * MINUTE_MS },
  secondFactorCodesPerAccount: { name: 'second-factor', max: 10, windowMs: 15 * MINUTE_MS },
  signupsPerNetwork: { name: 'signup-network', max: 20, windowMs: DAY_MS },
  signupsPerPrefix48: { name: 'signup-site', max: 100, windowMs: DAY_MS },
  /** Counted streams of a track from one network: by browsers without a device cookie, and by those with one. */
  playsWithoutDevice: { name: 'play-anonymous', max: 5, windowMs: DAY_MS },
  playsWithDevice: { name: 'play-device', max: 200, windowMs: DAY_MS },
  /** Uploads of verses: per account, and by visitors per IP address, which a school or a studio shares. */
  verseUploadsPerAccount: { name: 'verse', max: 10, windowMs: DAY_MS },
  verseUploadsPerAddress: { name: 'verse', max: 60, windowMs: DAY_MS },
  /** New calculations of Stripe Tax, which cost money: of an account or device, and of a network. */
  taxCalculationsPerBuyer: { name: 'tax-buyer', max: 30, windowMs: 15 * MINUTE_MS },
  taxCalculationsPerNetwork: { name: 'tax-network', max: 600, windowMs: HOUR_MS },
  /** Emailed links to the ballots, per administrator. */
  csvLinksPerAccount: { name: 'csv-link', max: 5, windowMs: HOUR_MS },
  /** CSV files of other platforms, per administrator. */
  importsPerAccount: { name: 'import', max: 50, windowMs: DAY_MS },
  /** Check-in codes that an account tries at a show (docs/decisions/0007-check-in-codes.md); reset by a check-in. */
  checkInCodesPerAccount: { name: 'door', max: 10, windowMs: 15 * MINUTE_MS },
  /** Sign-ups through scans of one code, instead of the network's quota. The check-in cookie has this lifetime. */
  checkInSignupsPerCode: { name: 'door-signups', max: 300, windowMs: HOUR_MS },
  /** Wrong check-in codes at a show from one network: by visitors, and by accounts. Concurrent guesses all count. */
  checkInGuessesByVisitors: { name: 'door-guess', max: 30, windowMs: HOUR_MS },
  checkInGuessesByAccounts: { name: 'door-guess-accounts', max: 300, windowMs: HOUR_MS },
} as const satisfies Record<string, Quota>

/** One use of a quota: `amount` units, 1 by default, under a key of `quotaUse`. */
export type QuotaUse = { quota: Quota; key: string; amount?: number }

/** A use under the key `<name>:<keyed hash of the parts>`, which stores no names or addresses. */
export async function quotaUse(secret: string, quota: Quota, ...parts: string[]): Promise<QuotaUse> {
  const { name } = quota
  return { quota, key: `${name}:${await sign(secret, 'attempts', [name, ...parts].join('\n'))}` }
}

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

/** Whether all uses are within their quotas, without counting them. */
export async function hasQuotasLeft(
  { db }: Pick<Deps, 'db'>,
  uses: readonly QuotaUse[],
  now: Millis,
): Promise<boolean> {
  const row = await prepare(db, sql`SELECT ${isWithinQuotas(uses, now)} AS isWithin`).first<{ isWithin: number }>()
  return row?.isWithin === 1
}

/** Counts the uses, all or none. Returns false if a quota is used up. */
export async function consumeQuotas(
  { db }: Pick<Deps, 'db'>,
  uses: readonly QuotaUse[],
  now: Millis,
): Promise<boolean> {
  return (await quotaStatement(db, uses, now).all()).results.length === uses.length
}

export const rateLimitedError = (message: string, { windowMs }: Quota) =>
  new AppError('rate_limited', message, { retryAfterSeconds: windowMs / SECOND_MS })

/** Subtracts counted uses of an action that failed. */
export async function releaseQuotas({ db }: Pick<Deps, 'db'>, uses: readonly QuotaUse[]): Promise<void> {
  const fromUse = sql`FROM json_each(${toJson(uses)}) AS use WHERE use.value ->> 'key' = attempts.key`
  await db.$client.batch([
    prepare(
      db,
      sql`DELETE FROM attempts WHERE EXISTS (SELECT 1 ${fromUse} AND use.value ->> 'amount' >= attempts.count)`,
    ),
    prepare(
      db,
      sql`UPDATE attempts SET count = count - (SELECT use.value ->> 'amount' ${fromUse})
        WHERE EXISTS (SELECT 1 ${fromUse} AND use.value ->> 'amount' < attempts.count)`,
    ),
  ])
}

/** Statement that resets the counter of a use if `condition` holds when it runs. */
export const resetQuotaStatement = (db: Db, { key }: QuotaUse, condition = sql`true`): D1PreparedStatement =>
  prepare(db, sql`DELETE FROM ${attempts} WHERE key = ${key} AND ${condition}`)
