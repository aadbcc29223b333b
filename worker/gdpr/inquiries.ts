import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { InquiryKind } from '../contract/draft-rules'
import type { Inquiry } from '../contract/privacy'
import { INQUIRY_RESPONSE_DAYS, RETENTION } from '../contract/retention'
import { type BatchResult, processDueRows } from '../db/cleanup-batches'
import { prepare } from '../db/client'
import type { Actor, Deps } from '../deps'
import { enqueueWithinQuotas, ownsAddress, requestedEmailQuotas } from '../email/email-quotas'
import { createLinkToken, expiredLinkError, readLinkToken } from '../email/link-tokens'
import { enqueueEmail } from '../email/outbox'
import { AppError } from '../lib/app-error'
import { DAY_MS, type Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { consumeQuotas, QUOTAS, quotaUse, rateLimitedError } from '../quotas/quotas'
import { readSiteName } from '../site/site'
import { findInquiry, toInquiry } from './admin-list'
import { inquiryAnswerEmail, inquiryDueEmail, inquiryReceivedEmail } from './emails'
import { privacyInquiries } from './inquiries.table'
import type { PersonalData } from './personal-data'

export type InquiryDeps = Pick<Deps, 'db' | 'secret' | 'origin'>

/** A UTC day as emails show it: 'February 28, 2027'. */
export const formatDay = (at: Millis): string =>
  new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })

type NewInquiry = {
  email: string
  kind: InquiryKind
  message: string
  /** The account of the caller's session, if any. */
  userId: number | null
  /** `clientNetwork48` of the caller. */
  network: string
  at: Millis
}

/**
 * Stores a privacy inquiry, confirmed at once if the caller's account has confirmed the address. Acknowledges it by
 * email; for other callers once a day per kind and network, so that a stranger's inquiry cannot block the owner's.
 * @throws AppError `rate_limited` after too many about the address from one network, or from its own account.
 */
export async function createInquiry(
  { db, secret, origin }: InquiryDeps,
  { email, kind, message, userId, network, at }: NewInquiry,
): Promise<void> {
  const d1 = db.$client
  const emailKey = normalizeKey(email)
  const isOwn = await ownsAddress(db, email, userId)
  const quota = isOwn ? QUOTAS.inquiriesPerAccount : QUOTAS.inquiriesPerAddressAndNetwork
  const use = await quotaUse(secret, quota, ...(isOwn ? [String(userId)] : [emailKey, network]))
  if (!(await consumeQuotas({ db }, [use], at)))
    throw rateLimitedError('That address has asked us several times today. We answer every one of them.', quota)
  const dueAt = at + INQUIRY_RESPONSE_DAYS * DAY_MS
  const id = newId('inquiry')
  const day = Math.floor(at / DAY_MS)
  const token = isOwn ? null : await createLinkToken(secret, 'inquiry-confirm', id, at)
  const acknowledgment = inquiryReceivedEmail({
    siteName: await readSiteName(db),
    origin,
    kind,
    due: formatDay(dueAt),
    token,
  })
  const confirmedAt = isOwn ? at : null
  const inquiry = { id, kind, email, emailKey, message, createdAt: at, dueAt, confirmedAt }
  await d1.batch([
    prepare(db, db.insert(privacyInquiries).values(inquiry)),
    ...enqueueWithinQuotas(db, {
      to: email,
      email: acknowledgment,
      dedupeKey: `inquiry-received:${isOwn ? id : `${kind}:${use.key}:${day}`}`,
      at,
      quotas: await requestedEmailQuotas({ db, secret }, email, { userId, network }),
    }),
  ])
}

/**
 * Confirms an inquiry by the token that was emailed to its address.
 * @throws AppError `bad_token`, also once the address was erased.
 */
export async function confirmInquiry({ db, secret }: InquiryDeps, token: string, now: Millis): Promise<void> {
  const { key: id } = await readLinkToken(secret, 'inquiry-confirm', token, now)
  const confirmed = await db
    .update(privacyInquiries)
    .set({ confirmedAt: sql`coalesce(${privacyInquiries.confirmedAt}, ${now})` })
    .where(and(eq(privacyInquiries.id, id), ne(privacyInquiries.email, '')))
    .returning({ id: privacyInquiries.id })
  if (confirmed.length === 0) throw expiredLinkError()
}

export const inquiryNotFoundError = () => new AppError('not_found', 'That inquiry does not exist.')

/**
 * Answers an inquiry: closes it, enqueues the email and records the audit entry in one batch.
 * @throws AppError `not_found`; `conflict` if it is answered already.
 */
export async function answerInquiry(
  { db }: Pick<Deps, 'db'>,
  { id, answer, actorId, at }: Actor & { id: string; answer: string },
): Promise<Inquiry> {
  const stored = await findInquiry(db, id)
  if (!stored) throw inquiryNotFoundError()
  const { email, message, confirmedAt } = stored.inquiry
  const question = confirmedAt === null ? null : message
  const response = inquiryAnswerEmail({ siteName: await readSiteName(db), answer, question })
  const close = db
    .update(privacyInquiries)
    .set({ answeredAt: at, answer })
    .where(and(eq(privacyInquiries.id, id), isNull(privacyInquiries.answeredAt)))
    .returning({ id: privacyInquiries.id })
  const [closed] = await db.$client.batch([
    prepare(db, close),
    recordAuditIfChanged(db, { actorId, action: 'inquiry.answered', subject: `inquiry:${id}`, at }),
    // Not written if a concurrent request answered the inquiry or erased its address.
    enqueueEmail(db.$client, { to: email, email: response, dedupeKey: `inquiry-answer:${id}`, at, ifChanged: true }),
  ])
  if (!closed?.results.length) throw new AppError('conflict', 'That inquiry has already been answered.')
  const answered = await findInquiry(db, id)
  if (!answered) throw inquiryNotFoundError()
  return toInquiry(answered)
}

const REMINDER_LEAD_MS = 7 * DAY_MS
const REMINDER_BATCH_SIZE = 100

/** Reminds every administrator of open inquiries, a week before each is due and when it is overdue. */
async function sendInquiryReminders({ db, origin }: Omit<InquiryDeps, 'secret'>, at: Millis): Promise<BatchResult> {
  const d1 = db.$client
  // Raw SQL builds each reminder's key and excludes sent reminders, which would otherwise fill the batch.
  const { results } = await d1
    .prepare(
      `WITH reminder AS (
         SELECT inquiry.id, inquiry.due_at AS dueAt, admin.id AS adminId, admin.email,
           'inquiry-due:' || inquiry.id || iif(inquiry.due_at <= ?1, ':late:', ':soon:') || admin.id AS dedupeKey
         FROM privacy_inquiries inquiry
         JOIN users admin ON admin.role = 'administrator' AND admin.email IS NOT NULL AND admin.banned_at IS NULL
         WHERE inquiry.answered_at IS NULL AND inquiry.due_at <= ?2)
       SELECT id, dueAt, email, dedupeKey FROM reminder
       WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.dedupe_key = reminder.dedupeKey)
       ORDER BY dueAt, adminId LIMIT ${REMINDER_BATCH_SIZE}`,
    )
    .bind(at, at + REMINDER_LEAD_MS)
    .all<{ id: string; dueAt: Millis; email: string; dedupeKey: string }>()
  if (results.length === 0) return { affected: 0, more: false }
  const context = { siteName: await readSiteName(db), origin }
  await d1.batch(
    results.map(({ id, dueAt, email, dedupeKey }) =>
      enqueueEmail(d1, {
        to: email,
        email: inquiryDueEmail({ ...context, id, due: formatDay(dueAt), isLate: dueAt <= at }),
        dedupeKey,
        at,
      }),
    ),
  )
  return { affected: results.length, more: results.length === REMINDER_BATCH_SIZE }
}

/** Deletes answered inquiries after the retention period; open ones stay. */
function deleteOldInquiries({ db }: Pick<Deps, 'db'>, at: Millis): Promise<BatchResult> {
  return processDueRows(db, {
    due: `SELECT id, answered_at AS since FROM privacy_inquiries
      WHERE answered_at IS NOT NULL AND answered_at <= ?1 ORDER BY answered_at`,
    months: RETENTION.supportMonths,
    at,
    size: 500,
    change: ['DELETE FROM privacy_inquiries WHERE id IN (SELECT value FROM json_each(?1))'],
  })
}

export const personalData: PersonalData = {
  name: 'inquiries',
  byAddress: {
    counts: ({ emailKey }) => ({
      inquiries: sql`SELECT count(*) FROM privacy_inquiries WHERE email_key = (${emailKey})`,
    }),
    export: ({ emailKey }) => ({
      inquiries: sql`SELECT kind, message, created_at, confirmed_at, answer, answered_at FROM privacy_inquiries
        WHERE email_key = (${emailKey}) ORDER BY created_at`,
    }),
    erase: ({ emailKey, inquiryId }) => [
      sql`DELETE FROM privacy_inquiries WHERE email_key = (${emailKey}) AND id IS NOT ${inquiryId}`,
    ],
  },
  retention: [
    { name: 'Delete old inquiries', step: deleteOldInquiries },
    { name: 'Send inquiry reminders', step: sendInquiryReminders },
  ],
}
