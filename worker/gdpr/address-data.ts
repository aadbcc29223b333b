import { eq, type SQL, sql } from 'drizzle-orm'
import { writeAudit } from '../audit/audit'
import { saveVersioned } from '../audit/save-versioned'
import type { AddressExport, AddressLookup, AddressRecords } from '../contract/privacy'
import type { Db } from '../db/client'
import type { Actor } from '../deps'
import { enqueueEmail } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { readSiteName } from '../site/site'
import { users } from '../users/users.table'
import { exportSubject } from './data-export'
import { dataExportPage } from './data-export-page'
import { addressFileEmail } from './emails'
import { type InquiryDeps, inquiryNotFoundError } from './inquiries'
import { privacyInquiries } from './inquiries.table'
import type { DataSubject } from './personal-data'
import { addressCountQueries, toStatement } from './personal-data-registry'

// Visitors without an account are identified by their address. They send a privacy inquiry; an administrator exports or
// erases what is stored about its address.

/** The sender of an inquiry as data subject. @param phoneHashes keyed hashes of their phone numbers, for an erasure. */
export function inquirySubject(inquiryId: string, at: Millis, phoneHashes: readonly string[] = []): DataSubject {
  const emailKey = sql`SELECT email_key FROM privacy_inquiries WHERE id = ${inquiryId} AND email <> ''`
  return {
    userId: null,
    inquiryId,
    at,
    emailKey,
    emailSpellings: sql`${emailKey} UNION SELECT lower(email) FROM privacy_inquiries WHERE id = ${inquiryId} AND email <> ''`,
    phoneHashes: sql`SELECT value AS hash FROM json_each(${JSON.stringify(phoneHashes)})`,
    identity: { mailboxKey: null, phoneHash: null },
  }
}

/** Query of one row with the counts of `AddressRecords`; no row once the address was erased. */
export function addressCountsQuery(subject: DataSubject): SQL {
  const columns = Object.entries(addressCountQueries(subject)).map(
    ([name, count]) => sql`(${count}) AS ${sql.raw(name)}`,
  )
  return sql`SELECT ${sql.join(columns, sql`, `)} FROM privacy_inquiries WHERE id = ${subject.inquiryId} AND email <> ''`
}

type Inquirer = {
  email: string
  emailKey: string
  confirmedAt: Millis | null
  /** Username of the account with this address, confirmed or not. */
  account: string | null
}
export type InquiryAction = Actor & { id: string }

/** @throws AppError `not_found`; `conflict` once the address was erased. */
export async function findInquirer(db: Db, id: string): Promise<Inquirer> {
  const [row] = await db
    .select({
      email: privacyInquiries.email,
      emailKey: privacyInquiries.emailKey,
      confirmedAt: privacyInquiries.confirmedAt,
      account: users.username,
    })
    .from(privacyInquiries)
    .leftJoin(users, eq(users.emailKey, privacyInquiries.emailKey))
    .where(eq(privacyInquiries.id, id))
  if (!row) throw inquiryNotFoundError()
  if (row.email === '') throw alreadyErasedError()
  return row
}

export const alreadyErasedError = () => new AppError('conflict', 'That address has already been erased.')

/** Counts what is stored about the address of an inquiry. @throws as `findInquirer`. */
export async function countAddressData(db: Db, id: string, now: Millis): Promise<AddressLookup> {
  const { account } = await findInquirer(db, id)
  const counts = await toStatement(db, addressCountsQuery(inquirySubject(id, now))).first<AddressRecords>()
  if (!counts) throw alreadyErasedError()
  return { found: counts, account }
}

async function buildAddressFile(deps: InquiryDeps, id: string, at: Millis): Promise<AddressExport> {
  const data = await exportSubject(deps, inquirySubject(id, at))
  return { data, page: dataExportPage(data, new URL(deps.origin).host) }
}

/**
 * Exports what is stored about the address, for an administrator; audited.
 * @throws as `findInquirer`; AppError `conflict` if the mailbox has not confirmed the inquiry, because anyone can enter
 * an address.
 */
export async function readAddressFile(deps: InquiryDeps, { id, actorId, at }: InquiryAction): Promise<AddressExport> {
  const { confirmedAt } = await findInquirer(deps.db, id)
  if (confirmedAt === null) throw unconfirmedInquiryError()
  await writeAudit(deps.db, { actorId, action: 'address.read', subject: `inquiry:${id}`, at })
  return buildAddressFile(deps, id, at)
}

export const unconfirmedInquiryError = () =>
  new AppError('conflict', 'This inquiry has not been confirmed from that mailbox.')
const alreadyEmailedError = () =>
  new AppError(
    'conflict',
    'The data was already emailed today. Send the answer without the file, or email the data again tomorrow.',
  )

/**
 * Emails what is stored about the address to the address itself, at most once a day.
 * @throws as `findInquirer`; AppError `conflict` if email to it bounces, the mailbox has not confirmed the inquiry, or
 * the data was already emailed today (UTC).
 */
export async function emailAddressFile(deps: InquiryDeps, { id, actorId, at }: InquiryAction): Promise<void> {
  const { db, secret } = deps
  const { email, emailKey, confirmedAt } = await findInquirer(db, id)
  if (confirmedAt === null) throw unconfirmedInquiryError()
  if (await hasBounced(db, await suppressionHash(secret, emailKey)))
    throw new AppError('conflict', 'Email to that address bounces. Please deliver the file another way.')
  const { data, page } = await buildAddressFile(deps, id, at)
  const message = addressFileEmail({ siteName: await readSiteName(db), page, text: JSON.stringify(data, null, 2) })
  const insert = enqueueEmail(db, {
    to: email,
    email: message,
    dedupeKey: `inquiry-file:${id}:${Math.floor(at / DAY_MS)}`,
    at,
    // The address may have been erased since the file was read.
    when: sql`EXISTS (SELECT 1 FROM privacy_inquiries WHERE id = ${id} AND email <> '')`,
  })
  const audit = { actorId, action: 'address.mailed', subject: `inquiry:${id}`, at }
  const findError = async () => {
    await findInquirer(db, id)
    return alreadyEmailedError()
  }
  await saveVersioned(db, insert, audit, { findError })
}
