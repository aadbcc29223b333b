import { recordAudit, writeAudit } from '../audit/audit'
import type { AddressExport, AddressLookup, AddressRecords } from '../contract/privacy'
import { enqueueEmail } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { hasPendingFulfilment } from '../orders/retention'
import { runExportQueries } from './data-export'
import { dataExportPage } from './data-export-page'
import { addressDataQueries, type DataSubjectSql, guestOrdersSql } from './email-address-data'
import { addressFileEmail } from './emails'
import { type InquiryDeps, inquiryNotFound, siteName } from './inquiries'

// Somebody without an account is known by their address alone: who sent a verse, bought as a visitor, or is on a list.
// They ask by an inquiry, and the desk hands over or erases what is kept about its address.

const EMAIL_KEY = "SELECT email_key FROM privacy_inquiries WHERE id = ?1 AND email <> ''"
export const EMAIL_SPELLINGS = `${EMAIL_KEY} UNION SELECT lower(email) FROM privacy_inquiries WHERE id = ?1 AND email <> ''`
/** Who asked, ?1 their inquiry. */
export const INQUIRER: DataSubjectSql = {
  emailKey: EMAIL_KEY,
  emailSpellings: EMAIL_SPELLINGS,
  orders: guestOrdersSql(EMAIL_SPELLINGS),
}

/** How much there is; ?1 the inquiry, ?2 now. No row once its address was erased. */
export const COUNT_ADDRESS_DATA = `SELECT
  (SELECT count(*) FROM subscribers WHERE email_key = (${EMAIL_KEY})) AS newsletter,
  (SELECT count(*) FROM show_alerts WHERE email_key IS NOT NULL AND email_key = (${EMAIL_KEY})) AS showAlerts,
  (SELECT count(*) FROM verse_submissions WHERE lower(email) IN (${EMAIL_SPELLINGS})) AS verses,
  (SELECT count(*) FROM orders WHERE id IN (${INQUIRER.orders})) AS orders,
  (SELECT count(*) FROM orders WHERE id IN (${INQUIRER.orders}) AND ${hasPendingFulfilment('?2')}) AS ordersUnderWay,
  (SELECT count(*) FROM outbox WHERE lower(recipient) IN (${EMAIL_SPELLINGS})) AS mails,
  (SELECT count(*) FROM privacy_inquiries WHERE email_key = (${EMAIL_KEY})) AS inquiries
  FROM privacy_inquiries WHERE id = ?1 AND email <> ''`

type InquirerRow = { email: string; emailKey: string; confirmedAt: Millis | null; account: string | null }
export type InquiryAction = { id: string; actorId: number; at: Millis }

/** @throws AppError `not_found`; `conflict` once the address was erased. */
export async function findInquirer(db: D1Database, id: string): Promise<InquirerRow> {
  const row = await db
    .prepare(
      `SELECT i.email, i.email_key AS emailKey, i.confirmed_at AS confirmedAt, users.username AS account
       FROM privacy_inquiries i LEFT JOIN users ON users.email_key = i.email_key WHERE i.id = ?1`,
    )
    .bind(id)
    .first<InquirerRow>()
  if (!row) throw inquiryNotFound()
  if (row.email === '') throw alreadyErased()
  return row
}
export const alreadyErased = () => new AppError('conflict', 'That address has been erased already.')

/** How much is kept about the address of an inquiry. @throws as `asker`. */
export async function countAddressData(db: D1Database, id: string, now: Millis): Promise<AddressLookup> {
  const { account } = await findInquirer(db, id)
  const found = await db.prepare(COUNT_ADDRESS_DATA).bind(id, now).first<AddressRecords>()
  if (!found) throw alreadyErased()
  return { found, account }
}

const buildAddressFile = async (
  { db, origin }: Pick<InquiryDeps, 'db' | 'origin'>,
  id: string,
  at: Millis,
): Promise<AddressExport> => {
  const data = await runExportQueries(db, addressDataQueries(INQUIRER), [id], at)
  return { data, page: dataExportPage(data, new URL(origin).host) }
}

/** All that is kept about the address, for the desk to hand over; written down first. @throws as `asker`. */
export async function readAddressFile(deps: InquiryDeps, { id, actorId, at }: InquiryAction): Promise<AddressExport> {
  await findInquirer(deps.db, id)
  await writeAudit(deps.db, { actorId, action: 'address.read', subject: `inquiry:${id}`, at })
  return buildAddressFile(deps, id, at)
}

/**
 * The same by mail to the address itself, once a day: whoever typed it, its owner reads it.
 * @throws as `asker`; AppError `conflict` where mail to it comes back.
 */
export async function emailAddressFile(deps: InquiryDeps, { id, actorId, at }: InquiryAction): Promise<void> {
  const { db, secret } = deps
  const { email, emailKey } = await findInquirer(db, id)
  if (await hasBounced(db, await suppressionHash(secret, emailKey)))
    throw new AppError('conflict', 'Mail to that address comes back. Please hand the file over otherwise.')
  const { data, page } = await buildAddressFile(deps, id, at)
  const message = addressFileEmail({ siteName: await siteName(db), page, text: JSON.stringify(data, null, 2) })
  await db.batch([
    recordAudit(db, { actorId, action: 'address.mailed', subject: `inquiry:${id}`, at }),
    enqueueEmail(db, { to: email, email: message, dedupeKey: `inquiry-file:${id}:${Math.floor(at / DAY_MS)}`, at }),
  ])
}
