import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * A file that somebody sent, at `uploads/<id>` in R2 (its renditions at `uploads/<id>@640`). The row comes before the
 * first byte, so that whatever breaks off leaves a row by which the sweep finds what was left.
 */
export const uploads = sqliteTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['picture', 'audio'] }).notNull(),
    /** Null for a visitor, who may send a verse. */
    ownerId: integer('owner_id').references(() => users.id),
    createdAt: integer('created_at').notNull(),
    /** R2's multipart upload of a recording; its parts are nobody's to see before it is complete. */
    multipartId: text('multipart_id'),
    /** When the whole file was there; null before. */
    storedAt: integer('stored_at'),
    contentType: text('content_type'),
    sizeBytes: integer('size_bytes'),
    /** Pixels, of pictures. */
    width: integer('width'),
    height: integer('height'),
    /** What named it is gone for good: the file goes within minutes, not with the daily sweep. */
    isDropped: integer('is_dropped', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    check('uploads_kind', sql`${t.kind} in ('picture', 'audio')`),
    check('uploads_stored', sql`${t.storedAt} is null or (${t.contentType} is not null and ${t.sizeBytes} > 0)`),
    index('uploads_by_owner').on(t.ownerId, t.createdAt),
    index('uploads_age').on(t.createdAt),
    index('uploads_dropped').on(t.createdAt).where(sql`is_dropped = 1`),
  ],
)
