import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/**
 * A file at `uploads/<id>` in R2; `imageKeys` names the variants of an image. The row is inserted before the
 * file is stored, so that the cleanup job finds broken uploads.
 */
export const uploads = sqliteTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    /** A 'picture' is an image; only stored values, columns and texts on the site call it so. */
    kind: text('kind', { enum: ['picture', 'audio'] }).notNull(),
    ownerId: integer('owner_id').references(() => users.id),
    createdAt: integer('created_at').notNull(),
    /** R2 multipart upload of audio, while incomplete. */
    multipartId: text('multipart_id'),
    /** Null until the file is complete. */
    storedAt: integer('stored_at'),
    contentType: text('content_type'),
    sizeBytes: integer('size_bytes'),
    /** Width of an image in pixels. */
    width: integer('width'),
    /** Height of an image in pixels. */
    height: integer('height'),
    /** A post or other row uses the image. Unpublished images, except public covers, are only for owner and admins. */
    isPublished: integer('is_published', { mode: 'boolean' }).notNull().default(false),
    /** Marked for deletion by a job that runs every five minutes. */
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

/** Copies of the artist's public images in the bucket that is served without the worker. */
export const publicImages = sqliteTable('public_images', {
  uploadId: text('upload_id')
    .primaryKey()
    .references(() => uploads.id),
  /** Null while it is being copied or deleted; pages do not link to it then. */
  copiedAt: integer('copied_at'),
})
