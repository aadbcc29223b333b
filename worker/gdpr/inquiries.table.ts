import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { INQUIRY_KINDS } from '../contract/draft-rules'

/** Privacy inquiries, each with its due date. */
export const privacyInquiries = sqliteTable(
  'privacy_inquiries',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: INQUIRY_KINDS }).notNull(),
    /** Empty once the address is erased. */
    email: text('email').notNull(),
    emailKey: text('email_key').notNull(),
    message: text('message').notNull(),
    createdAt: integer('created_at').notNull(),
    dueAt: integer('due_at').notNull(),
    /** When the owner of the mailbox confirmed the inquiry. */
    confirmedAt: integer('confirmed_at'),
    answeredAt: integer('answered_at'),
    answer: text('answer'),
  },
  (t) => [
    check('privacy_inquiries_answer', sql`(${t.answeredAt} is null) = (${t.answer} is null)`),
    index('privacy_inquiries_open').on(t.dueAt, t.id).where(sql`answered_at is null`),
    index('privacy_inquiries_answered').on(sql`${t.answeredAt} desc`, t.id).where(sql`answered_at is not null`),
    index('privacy_inquiries_by_address').on(t.emailKey, t.createdAt),
  ],
)
