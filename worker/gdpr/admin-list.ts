import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Inquiry } from '../contract/privacy'
import type { Db } from '../db/client'
import { invalidCursor, type Page } from '../db/pagination'
import { toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { limits } from '../limits'
import { users } from '../users/users.table'
import { privacyInquiries } from './inquiries.table'

const inquiryQuery = (db: Db) =>
  db
    .select({ inquiry: privacyInquiries, username: users.username })
    .from(privacyInquiries)
    .leftJoin(users, and(eq(users.emailKey, privacyInquiries.emailKey), isNotNull(users.emailVerifiedAt)))
    .$dynamic()

type Row = { inquiry: typeof privacyInquiries.$inferSelect; username: string | null }

export async function findInquiry(db: Db, id: string): Promise<Row | undefined> {
  const [row] = await inquiryQuery(db).where(eq(privacyInquiries.id, id))
  return row
}

export const toInquiry = ({ inquiry, username }: Row): Inquiry => ({
  id: inquiry.id,
  kind: inquiry.kind,
  email: inquiry.email === '' ? '' : maskEmail(inquiry.email),
  confirmedAt: toIso(inquiry.confirmedAt),
  username,
  message: inquiry.message,
  createdAt: toIso(inquiry.createdAt),
  dueAt: toIso(inquiry.dueAt),
  answeredAt: toIso(inquiry.answeredAt),
  answer: inquiry.answer,
})

/**
 * A page of inquiries: open ones by due date, then answered ones, newest first. The cursor names the part and position.
 * @throws AppError `bad_input` for an invalid cursor.
 */
export async function listInquiries(db: Db, cursor: string | null): Promise<Page<Inquiry>> {
  const { id, dueAt, answeredAt } = privacyInquiries
  const size = limits.inquiriesPageSize
  const position = parsePosition(cursor)
  const afterOpen = position?.part === 'open' ? sql`(${dueAt}, ${id}) > (${position.at}, ${position.id})` : undefined
  const open =
    position?.part === 'answered'
      ? []
      : await inquiryQuery(db)
          .where(and(isNull(answeredAt), afterOpen))
          .orderBy(asc(dueAt), asc(id))
          .limit(size + 1)
  const afterAnswered =
    position?.part === 'answered'
      ? sql`(${answeredAt} < ${position.at} OR (${answeredAt} = ${position.at} AND ${id} > ${position.id}))`
      : undefined
  const answered = await inquiryQuery(db)
    .where(and(isNotNull(answeredAt), afterAnswered))
    .orderBy(desc(answeredAt), asc(id))
    .limit(size + 1 - open.length)
  const inquiries = [...open, ...answered]
  const page = inquiries.slice(0, size)
  const last = page.at(-1)?.inquiry
  return { rows: page.map(toInquiry), next: inquiries.length > size && last ? formatPosition(last) : null }
}

type Position = { part: 'open' | 'answered'; at: number; id: string }

function parsePosition(cursor: string | null): Position | null {
  if (cursor === null) return null
  const [, part, at, id] = /^(open|answered)\.(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (part === undefined || id === undefined) throw invalidCursor()
  return { part: part as Position['part'], at: Number(at), id }
}

const formatPosition = ({ id, dueAt, answeredAt }: Row['inquiry']) =>
  answeredAt === null ? `open.${dueAt}.${id}` : `answered.${answeredAt}.${id}`
