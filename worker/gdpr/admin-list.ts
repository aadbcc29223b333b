import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { INQUIRY_KINDS } from '../contract/draft-rules'
import type { Inquiry } from '../contract/privacy'
import type { Db } from '../db/client'
import { columnFilter, conditionFilter, containsText, daysFilter, type RecordList } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { maskEmail } from '../lib/email'
import { users } from '../users/users.table'
import { privacyInquiries } from './inquiries.table'

const inquiryQuery = (db: Db) =>
  db
    .select({ inquiry: privacyInquiries, username: users.username })
    .from(privacyInquiries)
    .leftJoin(users, and(eq(users.emailKey, privacyInquiries.emailKey), isNotNull(users.emailVerifiedAt)))
    .$dynamic()

/** `username` is that of the account that confirmed the inquiry's address; null without one. */
type InquiryRow = { inquiry: typeof privacyInquiries.$inferSelect; username: string | null }

export async function findInquiry(db: Db, id: string): Promise<InquiryRow | undefined> {
  const [row] = await inquiryQuery(db).where(eq(privacyInquiries.id, id))
  return row
}

export const toInquiry = ({ inquiry, username }: InquiryRow): Inquiry => ({
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

const { id, dueAt, answeredAt, createdAt } = privacyInquiries

/** Open inquiries by due date, then answered ones, newest first. */
export const inquiryList = (at: Millis): RecordList<Inquiry> => ({
  from: sql`${privacyInquiries}`,
  id: sql`${id}`,
  sorts: {
    // Answered inquiries come after every due date, the latest answer first.
    queue: sql`iif(${answeredAt} IS NULL, ${dueAt}, 9000000000000000 - ${answeredAt})`,
    received: sql`${createdAt}`,
  },
  defaultSort: 'queue',
  filters: {
    state: conditionFilter({
      open: sql`${answeredAt} IS NULL`,
      overdue: sql`(${answeredAt} IS NULL AND ${dueAt} < ${at})`,
      answered: sql`${answeredAt} IS NOT NULL`,
    }),
    kind: columnFilter(sql`${privacyInquiries.kind}`, INQUIRY_KINDS),
    received: daysFilter(sql`${createdAt}`),
  },
  search: (q) => ({ where: containsText([sql`${privacyInquiries.message}`, sql`${privacyInquiries.answer}`], q) }),
  load: async (db, ids) => {
    const rows = await inquiryQuery(db).where(inArray(id, ids.map(String)))
    return rows.map(toInquiry)
  },
})
