import { type SQL, sql } from 'drizzle-orm'
import { RETENTION } from '../contract/retention'
import { type BatchResult, batchResult, combineResults, processDueRows } from '../db/cleanup-batches'
import type { Deps } from '../deps'
import type { DataSubject, PersonalData } from '../gdpr/personal-data'
import { DAY_MS, type Millis } from '../lib/clock'
import { IS_ORDER_EMAIL } from './order-email-kinds'

const BATCH_SIZE = 1_000
const waitingOrderEmail = sql`(state = 'waiting' AND ${sql.raw(IS_ORDER_EMAIL)})`

const emailsTo = ({ emailSpellings }: DataSubject) => sql`outbox WHERE lower(recipient) IN (${emailSpellings})`
/** Emails to the mailbox whose key is the subject's address, except those to addresses with a `+` tag. */
const emailsToMailbox = ({ emailKey }: DataSubject) =>
  sql`outbox WHERE recipient_key = (${emailKey}) AND instr(recipient, '+') = 0`

/** Emails in the outbox. orders/personal-data.ts erases waiting order emails. */
export const personalData: PersonalData = {
  name: 'email',
  byAddress: {
    counts: (subject) => ({ mails: sql`SELECT count(*) FROM ${emailsTo(subject)}` }),
    export: (subject) => ({
      mails: sql`SELECT kind, subject, created_at, sent_at FROM ${emailsTo(subject)} ORDER BY created_at`,
    }),
    erase: (subject) => [
      sql`DELETE FROM ${emailsTo(subject)} AND NOT ${waitingOrderEmail}`,
      sql`DELETE FROM ${emailsToMailbox(subject)} AND NOT ${waitingOrderEmail}`,
    ],
  },
  retention: [
    { name: 'Clear the content of old emails', step: clearEmailBodies },
    { name: 'Delete old email records', step: deleteOldEmails },
    { name: 'Delete old bounces', step: deleteOldSuppressions },
  ],
}

/** Deletes waiting order emails to the subject, except where `keep` (SQL condition over `outbox`) is true. */
export const eraseOrderEmails = (subject: DataSubject, keep: SQL): SQL[] => [
  sql`DELETE FROM ${emailsTo(subject)} AND ${waitingOrderEmail} AND NOT ${keep}`,
  sql`DELETE FROM ${emailsToMailbox(subject)} AND ${waitingOrderEmail} AND NOT ${keep}`,
]

/** Deletes emails about the account itself, sent to its address whether confirmed or not. */
export const eraseAccountEmails = (userId: number, kinds: readonly string[]): SQL =>
  // `+kind` prevents the use of the index on `kind`: the index on the address is more selective.
  sql`DELETE FROM outbox WHERE lower(recipient) IN (
    SELECT email_key FROM users WHERE id = ${userId} UNION SELECT lower(email) FROM users WHERE id = ${userId})
    AND +kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))`

/** Empties texts, which hold links and codes. The recipient stays until `deleteOldEmails`. */
async function clearEmailBodies({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const cleared = await db.$client
    .prepare(
      `UPDATE outbox SET text = '', html = '', headers = '{}' WHERE id IN (
         SELECT id FROM outbox WHERE html <> '' AND created_at <= ?1
           AND ((state = 'sent' AND sent_at <= ?1) OR created_at <= ?2) ORDER BY created_at LIMIT ${BATCH_SIZE})
       RETURNING id`,
    )
    .bind(at - RETENTION.emailBodyDays * DAY_MS, at - RETENTION.unsentEmailBodyDays * DAY_MS)
    .all()
  return batchResult(cleared, BATCH_SIZE)
}

/** SQL condition: the row is counted or prevents a duplicate, so it is retained without the recipient. */
const IS_RETAINED = `(broadcast_id IS NOT NULL OR ${IS_ORDER_EMAIL})`
const dueEmails = (condition: string) =>
  `SELECT id FROM outbox WHERE recipient <> '' AND created_at <= ?1 AND ${condition} ORDER BY created_at LIMIT ${BATCH_SIZE}`

async function deleteOldEmails({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  const until = at - RETENTION.emailRecipientDays * DAY_MS
  const [deleted, cleared] = await d1.batch([
    d1.prepare(`DELETE FROM outbox WHERE id IN (${dueEmails(`NOT ${IS_RETAINED}`)}) RETURNING id`).bind(until),
    d1
      .prepare(
        // The dedupe key of a broadcast's email contains the address, and is not needed after sending.
        `UPDATE outbox SET recipient = '', recipient_key = '', headers = '{}', text = '', html = '',
           dedupe_key = iif(broadcast_id IS NULL, dedupe_key, 'forgotten:' || id)
         WHERE id IN (${dueEmails(IS_RETAINED)}) RETURNING id`,
      )
      .bind(until),
  ])
  return combineResults([batchResult(deleted, BATCH_SIZE), batchResult(cleared, BATCH_SIZE)])
}

/** Deletes bounces, complaints and other suppressions, because the mailbox may have a new owner by now. */
function deleteOldSuppressions({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: 'SELECT hash AS id, created_at AS since FROM mail_stops WHERE created_at <= ?1 ORDER BY created_at',
    months: RETENTION.suppressionMonths,
    at,
    size: BATCH_SIZE,
    change: ['DELETE FROM mail_stops WHERE hash IN (SELECT value FROM json_each(?1))'],
  })
}
