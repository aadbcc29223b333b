import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** A requested CSV export. */
export const exportFiles = sqliteTable(
  'exports',
  {
    id: text('id').primaryKey(),
    kind: text('kind', {
      enum: ['supporters', 'newsletter', 'orders', 'order-lines', 'verse-submissions', 'golden-verse-votes', 'points'],
    }).notNull(),
    state: text('state', { enum: ['waiting', 'running', 'ready', 'failed'] })
      .notNull()
      .default('waiting'),
    requestedBy: integer('requested_by')
      .notNull()
      .references(() => users.id),
    requestedAt: integer('requested_at').notNull(),
    /** The multipart upload of the current worker; the next worker aborts it. */
    uploadId: text('upload_id'),
    /** End of the current worker's lease. */
    leasedUntil: integer('leased_until').notNull().default(0),
    rows: integer('rows'),
    sizeBytes: integer('size_bytes'),
    /** Of the file, lower-case hex. */
    sha256: text('sha256'),
    finishedAt: integer('finished_at'),
    expiresAt: integer('expires_at'),
    /** When its file was removed from R2. */
    removedAt: integer('removed_at'),
    /** Headers of the chosen columns in the file's order; null for all. */
    columns: text('columns', { mode: 'json' }).$type<string[]>(),
    /** The requester gets an email with a link when the file is ready. */
    emailsLink: integer('emails_link', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    check(
      'exports_kind',
      sql`${t.kind} in ('supporters', 'newsletter', 'orders', 'order-lines', 'verse-submissions', 'golden-verse-votes', 'points')`,
    ),
    check('exports_state', sql`${t.state} in ('waiting', 'running', 'ready', 'failed')`),
    check('exports_ready', sql`${t.state} <> 'ready' or (${t.sha256} is not null and ${t.expiresAt} is not null)`),
    index('exports_newest').on(t.requestedAt),
    index('exports_age').on(t.expiresAt),
  ],
)

/** A weekly export for an admin, who gets an email with a link to each file. */
export const exportSchedules = sqliteTable(
  'export_schedules',
  {
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', {
      enum: ['supporters', 'newsletter', 'orders', 'order-lines', 'verse-submissions', 'golden-verse-votes', 'points'],
    }).notNull(),
    columns: text('columns', { mode: 'json' }).$type<string[]>(),
    /** When the next export starts. */
    nextAt: integer('next_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [unique('export_schedules_once').on(t.userId, t.kind), index('export_schedules_due').on(t.nextAt)],
)

/** An emailed link to the ballots CSV. Valid only while its sender may send such links. */
export const csvLinks = sqliteTable(
  'csv_links',
  {
    id: text('id').primaryKey(),
    senderId: integer('sender_id')
      .notNull()
      .references(() => users.id),
    expiresAt: integer('expires_at').notNull(),
    uses: integer('uses').notNull().default(0),
  },
  (t) => [check('csv_links_uses', sql`${t.uses} between 0 and 5`), index('csv_links_age').on(t.expiresAt)],
)
