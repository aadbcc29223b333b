import { recordAuditIfChanged } from '../audit/audit'
import { attemptKey, consumeAttempt } from '../auth/attempts'
import type { Inquiry, InquiryKind } from '../contract/privacy'
import { INQUIRY_RESPONSE_DAYS, RETENTION } from '../contract/retention'
import type { BatchResult } from '../db/batch-delete'
import { processDueRows } from '../db/batch-delete'
import { enqueueEmail, publicFormCap } from '../email/outbox'
import type { JobDeps } from '../jobs/job-runs'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { maskEmail, normalizeKey } from '../lib/email'
import { limits } from '../limits'
import { createLinkToken, expiredLinkError, readLinkToken } from '../newsletter/link-tokens'
import { inquiryAnswerEmail, inquiryDueEmail, inquiryReceivedEmail } from './emails'

export type InquiryDeps = { db: D1Database; secret: string; origin: string }

/** Instants of an inquiry's life are days to those who read of them. */
export const formatDay = (at: Millis): string =>
  new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })

const SITE_NAME = "(SELECT coalesce((SELECT name FROM site), 'This site'))"
export const siteName = async (db: D1Database) =>
  (await db.prepare(`SELECT ${SITE_NAME} AS name`).first<{ name: string }>())?.name ?? 'This site'

/**
 * Takes a question about personal data; it is to be answered within `INQUIRY_ANSWER_DAYS`. The address gets one note a
 * day of each kind that says so, however often it is named: whoever types it may not be its owner, who must not confirm
 * a stranger's deletion because their own question came second.
 * @throws AppError `rate_limited` when one address has asked too often today.
 */
export async function createInquiry(
  { db, secret, origin }: InquiryDeps,
  { email, kind, message, at }: { email: string; kind: InquiryKind; message: string; at: Millis },
): Promise<void> {
  const emailKey = normalizeKey(email)
  const key = await attemptKey(secret, 'inquiry', emailKey)
  if (!(await consumeAttempt(db, key, { max: limits.inquiriesPerAddressPerDay, windowMs: DAY_MS }, at)))
    throw new AppError('rate_limited', 'That address has asked us several times today. We answer every one of them.')
  const dueAt = at + INQUIRY_RESPONSE_DAYS * DAY_MS
  const id = newId('inquiry')
  const day = Math.floor(at / DAY_MS)
  const token = await createLinkToken(secret, 'inquiry-confirm', id, at)
  const confirmation = inquiryReceivedEmail({
    siteName: await siteName(db),
    origin,
    kind,
    due: formatDay(dueAt),
    token,
  })
  await db.batch([
    db
      .prepare(
        `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      )
      .bind(id, kind, email, emailKey, message, at, dueAt),
    enqueueEmail(db, {
      to: email,
      email: confirmation,
      dedupeKey: `inquiry-received:${kind}:${emailKey}:${day}`,
      at,
      cap: publicFormCap('inquiry_received'),
    }),
  ])
}

/**
 * Whoever reads the mailbox says that it was they who asked: this inquiry alone, of whose kind the note told them.
 * @throws AppError `bad_token`, also once the address was erased.
 */
export async function confirmInquiry({ db, secret }: InquiryDeps, token: string, now: Millis): Promise<void> {
  const { key } = await readLinkToken(secret, 'inquiry-confirm', token, now)
  const confirmed = await db
    .prepare(
      `UPDATE privacy_inquiries SET confirmed_at = coalesce(confirmed_at, ?2) WHERE id = ?1 AND email <> '' RETURNING id`,
    )
    .bind(key, now)
    .first()
  if (!confirmed) throw expiredLinkError()
}

type Row = Omit<Inquiry, 'createdAt' | 'dueAt' | 'answeredAt' | 'confirmedAt'> & {
  created_at: Millis
  due_at: Millis
  confirmed_at: Millis | null
  answered_at: Millis | null
}

const COLUMNS = `i.id, i.kind, i.email, users.username, i.message, i.created_at, i.due_at, i.confirmed_at, i.answered_at, i.answer
  FROM privacy_inquiries i LEFT JOIN users ON users.email_key = i.email_key AND users.email_verified_at IS NOT NULL`

const toInquiry = ({ created_at, due_at, confirmed_at, answered_at, email, ...row }: Row): Inquiry => ({
  ...row,
  email: email === '' ? '' : maskEmail(email),
  confirmedAt: confirmed_at === null ? null : new Date(confirmed_at).toISOString(),
  createdAt: new Date(created_at).toISOString(),
  dueAt: new Date(due_at).toISOString(),
  answeredAt: answered_at === null ? null : new Date(answered_at).toISOString(),
})

/**
 * A page of inquiries: the open ones by the day they are due, then the answered ones, newest first. The cursor says in
 * which of the two it stands and where.
 * @throws AppError `bad_input` for a cursor that we never gave.
 */
export async function listInquiries(
  db: D1Database,
  cursor: string | null,
): Promise<{ rows: Inquiry[]; next: string | null }> {
  const [, part = 'open', at = '-1', id = ''] =
    /^(open|answered)\.(-?\d{1,15})\.([\w-]{1,40})$/.exec(cursor ?? '') ?? []
  if (cursor !== null && id === '') throw new AppError('bad_input', 'That page of the list does not exist.')
  const size = limits.inquiriesPageSize
  const open =
    part === 'answered'
      ? []
      : (
          await db
            .prepare(
              `SELECT ${COLUMNS} WHERE i.answered_at IS NULL AND (i.due_at, i.id) > (?1, ?2)
               ORDER BY i.due_at, i.id LIMIT ?3`,
            )
            .bind(Number(at), id, size + 1)
            .all<Row>()
        ).results
  const remaining = size + 1 - open.length
  const before = part === 'answered' ? Number(at) : Number.MAX_SAFE_INTEGER
  const answered = remaining
    ? (
        await db
          .prepare(
            `SELECT ${COLUMNS} WHERE i.answered_at IS NOT NULL
             AND (i.answered_at < ?1 OR (i.answered_at = ?1 AND i.id > ?2))
             ORDER BY i.answered_at DESC, i.id LIMIT ?3`,
          )
          .bind(before, part === 'answered' ? id : '', remaining)
          .all<Row>()
      ).results
    : []
  const found = [...open, ...answered]
  const page = found.slice(0, size)
  const last = page.at(-1)
  const position = last?.answered_at === null ? `open.${last.due_at}` : `answered.${last?.answered_at}`
  return { rows: page.map(toInquiry), next: found.length > size && last ? `${position}.${last.id}` : null }
}

export const inquiryNotFound = () => new AppError('not_found', 'That inquiry does not exist.')

/**
 * Answers an inquiry: the mail to who asked, the closed entry and a line of the audit, together.
 * @throws AppError `not_found`; `conflict` for one that is answered.
 */
export async function answerInquiry(
  { db, origin }: InquiryDeps,
  { id, answer, actorId, at }: { id: string; answer: string; actorId: number; at: Millis },
): Promise<Inquiry> {
  const find = () => db.prepare(`SELECT ${COLUMNS} WHERE i.id = ?1`).bind(id).first<Row>()
  const open = await find()
  if (!open) throw inquiryNotFound()
  const response = inquiryAnswerEmail({ siteName: await siteName(db), origin, answer, question: open.message })
  const [closed] = await db.batch([
    db
      .prepare(
        'UPDATE privacy_inquiries SET answered_at = ?2, answer = ?3 WHERE id = ?1 AND answered_at IS NULL RETURNING id',
      )
      .bind(id, at, answer),
    recordAuditIfChanged(db, { actorId, action: 'inquiry.answered', subject: `inquiry:${id}`, at }),
    // One key an inquiry: the second of two racing answers finds it taken, and its mail is not written.
    // Nor is one to an address that was erased meanwhile.
    enqueueEmail(db, { to: open.email, email: response, dedupeKey: `inquiry-answer:${id}`, at, ifChanged: true }),
  ])
  if (!closed?.results.length) throw new AppError('conflict', 'That inquiry has been answered already.')
  const row = await find()
  if (!row) throw inquiryNotFound()
  return toInquiry(row)
}

/** How long before its day an open inquiry is brought up, once. */
const REMINDER_LEAD_MS = 7 * DAY_MS

/** Mails that one step writes. */
const REMINDER_BATCH_SIZE = 100

/** Reminds every administrator of open inquiries, a week before each is due and when it is over. */
export async function sendInquiryReminders(
  { db, origin }: Omit<InquiryDeps, 'secret'>,
  at: Millis,
): Promise<BatchResult> {
  // Whose mail is written already is left out: a heap of open inquiries must not hide those behind it.
  const { results } = await db
    .prepare(
      `SELECT i.due_at AS dueAt, users.email,
         'inquiry-due:' || i.id || iif(i.due_at <= ?1, ':late:', ':soon:') || users.id AS dedupeKey
       FROM privacy_inquiries i
       JOIN users ON users.role = 'administrator' AND users.email IS NOT NULL AND users.banned_at IS NULL
       WHERE i.answered_at IS NULL AND i.due_at <= ?2
         AND NOT EXISTS (SELECT 1 FROM outbox
           WHERE dedupe_key = 'inquiry-due:' || i.id || iif(i.due_at <= ?1, ':late:', ':soon:') || users.id)
       ORDER BY i.due_at, users.id LIMIT ${REMINDER_BATCH_SIZE}`,
    )
    .bind(at, at + REMINDER_LEAD_MS)
    .all<{ dueAt: Millis; email: string; dedupeKey: string }>()
  if (results.length === 0) return { affected: 0, more: false }
  const context = { siteName: await siteName(db), origin }
  await db.batch(
    results.map(({ dueAt, email, dedupeKey }) =>
      enqueueEmail(db, {
        to: email,
        email: inquiryDueEmail({ ...context, due: formatDay(dueAt), late: dueAt <= at }),
        dedupeKey,
        at,
      }),
    ),
  )
  return { affected: results.length, more: results.length === REMINDER_BATCH_SIZE }
}

/** Forgets inquiries so long after their answer as the policy says. An open one is never forgotten. */
export const deleteOldInquiries = ({ db: { $client: d1 } }: JobDeps, at: Millis): Promise<BatchResult> =>
  processDueRows(
    d1,
    {
      due: `SELECT id, answered_at AS since FROM privacy_inquiries
        WHERE answered_at IS NOT NULL AND answered_at <= ?1 ORDER BY answered_at`,
      months: RETENTION.supportMonths,
      at,
      size: 500,
    },
    (ids) => [d1.prepare('DELETE FROM privacy_inquiries WHERE id IN (SELECT value FROM json_each(?1))').bind(ids)],
  )
