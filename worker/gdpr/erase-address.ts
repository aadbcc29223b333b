import { sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { listVersePhones } from '../challenge/personal-data'
import type { AddressErasure, AddressRecords } from '../contract/privacy'
import { enqueueEmail } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import { toIso } from '../lib/clock'
import { suppressionHash } from '../lib/keyed-hashes'
import { readSiteName } from '../site/site'
import {
  addressCountsQuery,
  alreadyErasedError,
  countAddressData,
  findInquirer,
  type InquiryAction,
  inquirySubject,
  unconfirmedInquiryError,
} from './address-data'
import { addressErasedEmail, ERASURE_RECEIPT_KIND } from './emails'
import type { InquiryDeps } from './inquiries'
import { eraseStatements, toStatement, withGuard } from './personal-data-registry'
import { hashPhones, recordAddressErasure } from './restored-erasures'

/**
 * Erases what is stored about the address of an inquiry and closes the inquiry, whose row remains for the audit log. A
 * last email goes to the address unless an earlier one bounced.
 * @throws as `findInquirer`; AppError `conflict` if an account has the address, or if the mailbox has not confirmed the
 * inquiry and the administrator has not verified it otherwise (`shownOtherwise`).
 */
export async function eraseAddress(
  { db, secret }: InquiryDeps,
  { id, actorId, at, shownOtherwise }: InquiryAction & { shownOtherwise: boolean },
): Promise<AddressErasure> {
  const d1 = db.$client
  const { email, emailKey, account, confirmedAt } = await findInquirer(db, id)
  requireNoAccount(account)
  if (confirmedAt === null && !shownOtherwise) throw unconfirmedInquiryError()
  const suppressedHash = await suppressionHash(secret, emailKey)
  const canEmail = !(await hasBounced(db, suppressedHash))
  const guard = sql`EXISTS (SELECT 1 FROM privacy_inquiries inquiry WHERE inquiry.id = ${id} AND inquiry.email <> ''
    AND NOT EXISTS (SELECT 1 FROM users WHERE users.email_key = inquiry.email_key))`
  const erasedAt = toIso(at)
  const { found: counts } = await countAddressData(db, id, at)
  const message = addressErasedEmail({ siteName: await readSiteName(db), at: erasedAt, orders: counts.orders })
  const subject = inquirySubject(id, at, await hashPhones(secret, await listVersePhones(db, inquirySubject(id, at))))
  const statements = [
    ...(await eraseStatements(subject, { db, secret })),
    sql`INSERT INTO suppressions (hash, created_at) SELECT ${suppressedHash}, ${at} WHERE true`,
    ...recordAddressErasure(suppressedHash, at),
  ].map((statement) => toStatement(db, withGuard(statement, guard)))
  const closeInquiry = sql`UPDATE privacy_inquiries SET email = '', email_key = 'deleted:' || id, message = '',
      answer = 'Everything stored about this address was erased.', answered_at = coalesce(answered_at, ${at})
      WHERE id = ${id}`
  const audit = {
    action: 'address.erased',
    subject: `inquiry:${id}`,
    detail: { ...counts, shown: confirmedAt === null ? 'otherwise' : 'mailbox' },
  }
  const [countResult, ...results] = await d1.batch<AddressRecords>([
    toStatement(db, addressCountsQuery(subject)),
    ...statements,
    toStatement(db, sql`${withGuard(closeInquiry, guard)} RETURNING id`),
    recordAuditIfChanged(db, { ...audit, actorId, at }),
    ...(canEmail
      ? [
          enqueueEmail(d1, {
            to: email,
            email: message,
            dedupeKey: `${ERASURE_RECEIPT_KIND}:${id}`,
            at,
            ifChanged: true,
          }),
        ]
      : []),
  ])
  const erasedCounts = countResult?.results[0]
  const isClosed = results[statements.length]?.results.length === 1
  if (!erasedCounts || !isClosed) {
    // The guard failed: since it was read, the address was erased, or an account with it was created.
    requireNoAccount((await findInquirer(db, id)).account)
    throw alreadyErasedError()
  }
  return { erasedAt, found: erasedCounts, letterSent: canEmail }
}

function requireNoAccount(account: string | null): void {
  if (account !== null)
    throw new AppError(
      'conflict',
      `${account} has an account with that address. Please delete the account under Supporters.`,
    )
}
