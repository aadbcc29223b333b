import { recordedIfChanged } from '../audit/audit'
import { allowed, attemptKey } from '../auth/attempts'
import type { Inquiry, InquiryKind } from '../contract/privacy'
import { INQUIRY_ANSWER_DAYS } from '../contract/retention'
import type { Step } from '../db/portions'
import { DAY, type Millis } from '../lib/clock'
import { fold } from '../lib/fold'
import { newId } from '../lib/ids'
import { maskedAddress } from '../lib/masked'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { postedToInquirer } from '../mail/caps'
import { posted, postedIfChanged } from '../mail/outbox'
import { deadLink, linkToken, readLink } from '../newsletter/tokens'
import { inquiryAnswerLetter, inquiryDueLetter, inquiryReceivedLetter } from './letters'

export type House = { db: D1Database; secret: string; origin: string }

/** Instants of an inquiry's life are days to those who read of them. */
export const dayOf = (at: Millis): string =>
  new Date(at).toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' })

const SITE_NAME = "(SELECT coalesce((SELECT name FROM site), 'This site'))"
export const siteName = async (db: D1Database) =>
  (await db.prepare(`SELECT ${SITE_NAME} AS name`).first<{ name: string }>())?.name ?? 'This site'

/**
 * Takes a question about personal data; it is to be answered within `INQUIRY_ANSWER_DAYS`. The address gets one note a
 * day of each kind that says so, however often it is named: whoever types it may not be its owner, who must not confirm
 * a stranger's deletion because their own question came second.
 * @throws Refused `rate_limited` when one address has asked too often today.
 */
export async function ask(
  { db, secret, origin }: House,
  { email, kind, message, at }: { email: string; kind: InquiryKind; message: string; at: Millis },
): Promise<void> {
  const emailKey = fold(email)
  const key = await attemptKey(secret, 'inquiry', emailKey)
  if (!(await allowed(db, key, { max: limits.inquiriesPerAddressADay, per: DAY }, at)))
    throw new Refused('rate_limited', 'That address has asked us several times today. We answer every one of them.')
  const dueAt = at + INQUIRY_ANSWER_DAYS * DAY
  const id = newId('inquiry')
  const day = Math.floor(at / DAY)
  const token = await linkToken(secret, 'inquiry-confirm', id, at)
  const letter = inquiryReceivedLetter({ siteName: await siteName(db), origin, kind, due: dayOf(dueAt), token })
  await db.batch([
    db
      .prepare(
        `INSERT INTO privacy_inquiries (id, kind, email, email_key, message, created_at, due_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
      )
      .bind(id, kind, email, emailKey, message, at, dueAt),
    postedToInquirer(db, { to: email, letter, dedupeKey: `inquiry-received:${kind}:${emailKey}:${day}`, at }),
  ])
}

/**
 * Whoever reads the mailbox says that it was they who asked: this inquiry alone, of whose kind the note told them.
 * @throws Refused `bad_token`, also once the address was erased.
 */
export async function confirmInquiry({ db, secret }: House, token: string, now: Millis): Promise<void> {
  const { key } = await readLink(secret, 'inquiry-confirm', token, now)
  const known = await db
    .prepare(
      `UPDATE privacy_inquiries SET confirmed_at = coalesce(confirmed_at, ?2) WHERE id = ?1 AND email <> '' RETURNING id`,
    )
    .bind(key, now)
    .first()
  if (!known) throw deadLink()
}

type Row = Omit<Inquiry, 'createdAt' | 'dueAt' | 'answeredAt' | 'confirmedAt'> & {
  created_at: Millis
  due_at: Millis
  confirmed_at: Millis | null
  answered_at: Millis | null
}

const COLUMNS = `i.id, i.kind, i.email, users.username, i.message, i.created_at, i.due_at, i.confirmed_at, i.answered_at, i.answer
  FROM privacy_inquiries i LEFT JOIN users ON users.email_key = i.email_key AND users.email_verified_at IS NOT NULL`

const asSeen = ({ created_at, due_at, confirmed_at, answered_at, email, ...row }: Row): Inquiry => ({
  ...row,
  email: email === '' ? '' : maskedAddress(email),
  confirmedAt: confirmed_at === null ? null : new Date(confirmed_at).toISOString(),
  createdAt: new Date(created_at).toISOString(),
  dueAt: new Date(due_at).toISOString(),
  answeredAt: answered_at === null ? null : new Date(answered_at).toISOString(),
})

/**
 * A page of inquiries: the open ones by the day they are due, then the answered ones, newest first. The cursor says in
 * which of the two it stands and where.
 * @throws Refused `bad_input` for a cursor that we never gave.
 */
export async function inquiries(
  db: D1Database,
  cursor: string | null,
): Promise<{ rows: Inquiry[]; next: string | null }> {
  const [, part = 'open', at = '-1', id = ''] =
    /^(open|answered)\.(-?\d{1,15})\.([\w-]{1,40})$/.exec(cursor ?? '') ?? []
  if (cursor !== null && id === '') throw new Refused('bad_input', 'That page of the list does not exist.')
  const size = limits.inquiriesOnAPage
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
  const rest = size + 1 - open.length
  const before = part === 'answered' ? Number(at) : Number.MAX_SAFE_INTEGER
  const answered = rest
    ? (
        await db
          .prepare(
            `SELECT ${COLUMNS} WHERE i.answered_at IS NOT NULL
             AND (i.answered_at < ?1 OR (i.answered_at = ?1 AND i.id > ?2))
             ORDER BY i.answered_at DESC, i.id LIMIT ?3`,
          )
          .bind(before, part === 'answered' ? id : '', rest)
          .all<Row>()
      ).results
    : []
  const found = [...open, ...answered]
  const shown = found.slice(0, size)
  const last = shown.at(-1)
  const position = last?.answered_at === null ? `open.${last.due_at}` : `answered.${last?.answered_at}`
  return { rows: shown.map(asSeen), next: found.length > size && last ? `${position}.${last.id}` : null }
}

export const unknownInquiry = () => new Refused('not_found', 'That inquiry does not exist.')

/**
 * Answers an inquiry: the mail to who asked, the closed entry and a line of the audit, together.
 * @throws Refused `not_found`; `conflict` for one that is answered.
 */
export async function answerInquiry(
  { db, origin }: House,
  { id, answer, actorId, at }: { id: string; answer: string; actorId: number; at: Millis },
): Promise<Inquiry> {
  const find = () => db.prepare(`SELECT ${COLUMNS} WHERE i.id = ?1`).bind(id).first<Row>()
  const open = await find()
  if (!open) throw unknownInquiry()
  const letter = inquiryAnswerLetter({ siteName: await siteName(db), origin, answer, question: open.message })
  const [closed] = await db.batch([
    db
      .prepare(
        'UPDATE privacy_inquiries SET answered_at = ?2, answer = ?3 WHERE id = ?1 AND answered_at IS NULL RETURNING id',
      )
      .bind(id, at, answer),
    recordedIfChanged(db, { actorId, action: 'inquiry.answered', subject: `inquiry:${id}`, at }),
    // One key an inquiry: the second of two racing answers finds it taken, and its mail is not written.
    // Nor is one to an address that was erased meanwhile.
    postedIfChanged(db, { to: open.email, letter, dedupeKey: `inquiry-answer:${id}`, at }),
  ])
  if (!closed?.results.length) throw new Refused('conflict', 'That inquiry has been answered already.')
  const row = await find()
  if (!row) throw unknownInquiry()
  return asSeen(row)
}

/** How long before its day an open inquiry is brought up, once. */
const REMIND_BEFORE = 7 * DAY

/** Mails that one step writes. */
const REMINDERS = 100

/** Reminds every administrator of open inquiries, a week before each is due and when it is over. */
export async function remindOfInquiries({ db, origin }: Omit<House, 'secret'>, at: Millis): Promise<Step> {
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
       ORDER BY i.due_at, users.id LIMIT ${REMINDERS}`,
    )
    .bind(at, at + REMIND_BEFORE)
    .all<{ dueAt: Millis; email: string; dedupeKey: string }>()
  if (results.length === 0) return { affected: 0, more: false }
  const from = { siteName: await siteName(db), origin }
  await db.batch(
    results.map(({ dueAt, email, dedupeKey }) =>
      posted(db, {
        to: email,
        letter: inquiryDueLetter({ ...from, due: dayOf(dueAt), late: dueAt <= at }),
        dedupeKey,
        at,
      }),
    ),
  )
  return { affected: results.length, more: results.length === REMINDERS }
}
