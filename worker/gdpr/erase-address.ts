import { recordAuditIfChanged } from '../audit/audit'
import { ERASURE_RECEIPT_KIND } from '../auth/emails'
import type { AddressErasure, AddressRecords } from '../contract/privacy'
import { enqueueEmail } from '../email/outbox'
import { hasBounced } from '../email/suppressions'
import { AppError } from '../lib/app-error'
import { suppressionHash } from '../lib/keyed-hashes'
import { hashPhone } from '../users/phone'
import {
  alreadyErased,
  COUNT_ADDRESS_DATA,
  countAddressData,
  EMAIL_SPELLINGS,
  findInquirer,
  INQUIRER,
  type InquiryAction,
} from './address-data'
import { eraseAddressStatements } from './email-address-data'
import { addressErasedEmail } from './emails'
import { eraseStatements } from './erasure'
import { type InquiryDeps, siteName } from './inquiries'

/** ?1 the inquiry, ?2 now, ?3 hashes of the phone numbers that came with their verses, as a JSON array. */
export const INQUIRER_ERASURE: readonly string[] = [
  ...eraseAddressStatements(INQUIRER),
  `DELETE FROM show_alerts WHERE entry_key IN (SELECT 'phone:' || value FROM json_each(?3))`,
  `DELETE FROM privacy_inquiries WHERE email_key = (${INQUIRER.emailKey}) AND id <> ?1`,
]

/**
 * Erases what is kept about the address of an inquiry as an account's erasure does (ruling 28): everything goes but what
 * the books need, without a name, and a keyed hash so that nothing is sent there again. The inquiry stays, closed and
 * without words, as the receipt that the audit points to; a last letter goes to the address unless its mail comes back.
 * @throws as `asker`; AppError `conflict` while an account has the address (its erasure takes all of this along), and
 * where nobody has confirmed from the mailbox that they asked and it was not `shownOtherwise` either.
 */
export async function eraseAddress(
  { db, secret }: InquiryDeps,
  { id, actorId, at, shownOtherwise }: InquiryAction & { shownOtherwise: boolean },
): Promise<AddressErasure> {
  const { email, emailKey, account, confirmedAt } = await findInquirer(db, id)
  if (account !== null)
    throw new AppError('conflict', `${account} has an account with that address. Please delete that under Supporters.`)
  if (confirmedAt === null && !shownOtherwise)
    throw new AppError('conflict', 'Nobody has confirmed from that mailbox that they asked.')
  const hash = await suppressionHash(secret, emailKey)
  const letterSent = !(await hasBounced(db, hash))
  const canErase = `EXISTS (SELECT 1 FROM privacy_inquiries mine WHERE mine.id = ?1 AND mine.email <> ''
    AND NOT EXISTS (SELECT 1 FROM users WHERE users.email_key = mine.email_key))`
  const erasedAt = new Date(at).toISOString()
  const { found } = await countAddressData(db, id, at)
  const message = addressErasedEmail({ siteName: await siteName(db), at: erasedAt, orders: found.orders })
  const detail = { ...found, shown: confirmedAt === null ? 'otherwise' : 'mailbox' }
  const phones = JSON.stringify(await phoneHashesOf(db, secret, id))
  const [counted, ...done] = await db.batch<AddressRecords & { id: string }>([
    db.prepare(COUNT_ADDRESS_DATA).bind(id, at),
    ...eraseStatements(db, INQUIRER_ERASURE, { binds: [id, at, phones], mayGo: canErase }),
    db
      .prepare(
        `INSERT INTO suppressions (hash, created_at) SELECT ?2, ?3 WHERE ${canErase} ON CONFLICT (hash) DO NOTHING`,
      )
      .bind(id, hash, at),
    db
      .prepare(
        `UPDATE privacy_inquiries SET email = '', email_key = 'deleted:' || id, message = '',
           answer = 'Everything that was kept about this address was erased.', answered_at = coalesce(answered_at, ?2)
         WHERE id = ?1 AND ${canErase} RETURNING id`,
      )
      .bind(id, at),
    recordAuditIfChanged(db, { actorId, action: 'address.erased', subject: `inquiry:${id}`, detail, at }),
    ...(letterSent
      ? [
          enqueueEmail(db, {
            to: email,
            email: message,
            dedupeKey: `${ERASURE_RECEIPT_KIND}:${id}`,
            at,
            ifChanged: true,
          }),
        ]
      : []),
  ])
  const [before] = counted?.results ?? []
  if (!before || !done.some(({ results }) => results.length > 0)) throw alreadyErased()
  return { erasedAt, found: before, letterSent }
}

/** The numbers that came with their verses, as they are kept of who asked to be told of shows by one. */
async function phoneHashesOf(db: D1Database, secret: string, id: string): Promise<string[]> {
  const { results } = await db
    .prepare(`SELECT phone_number AS phone FROM verse_submissions WHERE lower(email) IN (${EMAIL_SPELLINGS})`)
    .bind(id)
    .all<{ phone: string }>()
  const hashed = await Promise.all(
    results.map(({ phone }) =>
      hashPhone(secret, phone).catch((error) => {
        if (error instanceof AppError) return null
        throw error
      }),
    ),
  )
  return hashed.flatMap((phone) => phone?.hash ?? [])
}
