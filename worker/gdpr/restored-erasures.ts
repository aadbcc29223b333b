import { type SQL, sql } from 'drizzle-orm'
import { listVersePhones } from '../challenge/personal-data'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { hashPhone } from '../users/phone'
import type { DataSubject } from './personal-data'
import { eraseStatements, toStatement, withGuard } from './personal-data-registry'

/** `recent_erasures.key` of an address is this prefix and the address's suppression hash. */
export const ADDRESS_PREFIX = 'address:'

/** Statements that record the erasure of an address. If it was erased before, the time is updated. */
export const recordAddressErasure = (suppressedHash: string, at: Millis): SQL[] => [
  sql`DELETE FROM recent_erasures WHERE key = ${ADDRESS_PREFIX + suppressedHash}`,
  sql`INSERT INTO recent_erasures (key, erased_at) SELECT ${ADDRESS_PREFIX + suppressedHash}, ${at} WHERE true`,
]

/** Queries of the addresses in each table that an erasure searches by address. */
export const STORED_ADDRESS_QUERIES: Readonly<Record<string, string>> = {
  orders: 'SELECT DISTINCT email FROM orders WHERE email IS NOT NULL',
  verse_submissions: 'SELECT DISTINCT email FROM verse_submissions',
  outbox: 'SELECT DISTINCT recipient AS email FROM outbox',
  subscribers: 'SELECT email FROM subscribers',
  show_alerts: 'SELECT DISTINCT email_key AS email FROM show_alerts WHERE email_key IS NOT NULL',
  stock_alerts: 'SELECT DISTINCT email FROM stock_alerts',
  privacy_inquiries: "SELECT DISTINCT email FROM privacy_inquiries WHERE email <> ''",
  contacts: 'SELECT DISTINCT email FROM contacts',
  imported_sales: 'SELECT DISTINCT email FROM imported_sales WHERE email IS NOT NULL',
}

/** Every address in the tables above, as stored. Some are the addresses of accounts. */
export async function listStoredAddresses({ $client: d1 }: Db): Promise<string[]> {
  // A batch, because D1 allows few terms in a UNION.
  const results = await d1.batch<{ email: string }>(
    Object.values(STORED_ADDRESS_QUERIES).map((query) => d1.prepare(query)),
  )
  return [...new Set(results.flatMap(({ results: rows }) => rows.map(({ email }) => email)))]
}

type RestoredAddress = { emailKey: string; spellings: readonly string[]; suppressedHash: string; at: Millis }

/** Erases a restored address as `eraseAddress` did, unless an account has it. Returns whether it was erased. */
export async function eraseRestoredAddress(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { emailKey, spellings, suppressedHash, at }: RestoredAddress,
): Promise<boolean> {
  const withoutPhones: DataSubject = {
    userId: null,
    inquiryId: null,
    at,
    emailKey: sql`SELECT ${emailKey}`,
    emailSpellings: sql`SELECT ${emailKey} UNION SELECT lower(value) FROM json_each(${JSON.stringify(spellings)})`,
    phoneHashes: sql`SELECT NULL AS hash WHERE false`,
    identity: { mailboxKey: null, phoneHash: null },
  }
  const phones = JSON.stringify(await hashPhones(secret, await listVersePhones(db, withoutPhones)))
  const subject = { ...withoutPhones, phoneHashes: sql`SELECT value AS hash FROM json_each(${phones})` }
  const guard = sql`NOT EXISTS (SELECT 1 FROM users WHERE email_key = ${emailKey})`
  const statements = [
    ...(await eraseStatements(subject, { db, secret })),
    ...recordAddressErasure(suppressedHash, at),
  ].map((statement) => toStatement(db, withGuard(statement, guard)))
  const results = await db.$client.batch([...statements, toStatement(db, sql`SELECT 1 WHERE ${guard}`)])
  return results.at(-1)?.results.length === 1
}

/** Keyed hashes of these phone numbers; invalid numbers are left out. */
export async function hashPhones(secret: string, phones: readonly string[]): Promise<string[]> {
  const hashed = await Promise.all(
    phones.map((phone) =>
      hashPhone(secret, phone).catch((error) => {
        if (error instanceof AppError) return null
        throw error
      }),
    ),
  )
  return hashed.flatMap((phone) => phone?.hash ?? [])
}
