import { and, asc, desc, eq, gt, lt, ne } from 'drizzle-orm'
import { auditLog } from '../audit/audit.table'
import type { InquiryEvent, InquiryRecord } from '../contract/privacy'
import type { Db } from '../db/client'
import { outbox } from '../email/outbox.table'
import { type Millis, toIso } from '../lib/clock'
import { users } from '../users/users.table'
import { findInquiry, toInquiry } from './admin-list'
import { inquiryNotFoundError } from './inquiries'
import { privacyInquiries } from './inquiries.table'

const MAX_OTHER_INQUIRIES = 20

const EVENT_KIND_BY_AUDIT_ACTION: Readonly<Record<string, InquiryEvent['kind']>> = {
  'address.read': 'read',
  'address.mailed': 'emailed',
  'address.erased': 'erased',
  'inquiry.answered': 'answered',
}

/** An inquiry with its history, and other inquiries of the same address. @throws AppError `not_found`. */
export async function readInquiryPage(db: Db, id: string): Promise<InquiryRecord> {
  const row = await findInquiry(db, id)
  if (!row) throw inquiryNotFoundError()
  const { inquiry } = row
  const [auditEntries, reminders, others] = await db.batch([
    db
      .select({ action: auditLog.action, at: auditLog.at, actor: users.username })
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actorId))
      .where(eq(auditLog.subject, `inquiry:${id}`))
      .orderBy(asc(auditLog.id)),
    // Each administrator gets an email; the emails of one reminder have the same time.
    db
      .selectDistinct({ at: outbox.createdAt })
      .from(outbox)
      // Selects keys that start with `inquiry-due:<id>:`, as `;` follows `:` in ASCII. LIKE would not use the index.
      .where(and(gt(outbox.dedupeKey, `inquiry-due:${id}:`), lt(outbox.dedupeKey, `inquiry-due:${id};`))),
    db
      .select({
        id: privacyInquiries.id,
        kind: privacyInquiries.kind,
        createdAt: privacyInquiries.createdAt,
        answeredAt: privacyInquiries.answeredAt,
      })
      .from(privacyInquiries)
      .where(and(eq(privacyInquiries.emailKey, inquiry.emailKey), ne(privacyInquiries.id, id)))
      .orderBy(desc(privacyInquiries.createdAt))
      .limit(MAX_OTHER_INQUIRIES),
  ])
  const buildEvent = (kind: InquiryEvent['kind'], at: Millis, actor: string | null = null) => ({ kind, at, actor })
  const events = [
    buildEvent('received', inquiry.createdAt),
    ...(inquiry.confirmedAt === null ? [] : [buildEvent('confirmed', inquiry.confirmedAt)]),
    ...reminders.map(({ at }) => buildEvent('reminded', at)),
    ...auditEntries.flatMap(({ action, at, actor }) => {
      const kind = EVENT_KIND_BY_AUDIT_ACTION[action]
      return kind ? [buildEvent(kind, at, actor)] : []
    }),
  ]
  return {
    ...toInquiry(row),
    events: events.toSorted((a, b) => a.at - b.at).map(({ at, ...rest }) => ({ ...rest, at: toIso(at) })),
    others: others.map(({ createdAt, answeredAt, ...other }) => ({
      ...other,
      createdAt: toIso(createdAt),
      answeredAt: toIso(answeredAt),
    })),
  }
}
