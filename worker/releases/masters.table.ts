import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { MASTER_CONTENT_TYPES } from '../contract/file-signatures'
import { tracks } from '../tracks/tracks.table'
import { users } from '../users/users.table'

/**
 * Lossless files of tracks at `masters/<id>` in R2, which no public route reads. The row precedes the file, so that the
 * cleanup job finds abandoned uploads.
 */
export const trackMasters = sqliteTable(
  'track_masters',
  {
    id: text('id').primaryKey(),
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    /** Null once the uploader's account is erased. */
    ownerId: integer('owner_id').references(() => users.id),
    fileName: text('file_name').notNull(),
    /** Identifies the file, so that choosing it again continues its upload. */
    fingerprint: text('fingerprint').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    contentType: text('content_type', { enum: MASTER_CONTENT_TYPES }).notNull(),
    /** Id of the R2 multipart upload; null before it is created and after its completion. */
    multipartId: text('multipart_id'),
    createdAt: integer('created_at').notNull(),
    /** When the most recent part arrived; before the first one, the time of creation. */
    updatedAt: integer('updated_at').notNull(),
    /** Null until the file is complete. */
    storedAt: integer('stored_at'),
    /** Time of cancellation, removal, replacement or expiry. The file is deleted right after, or by the cleanup job. */
    droppedAt: integer('dropped_at'),
  },
  (t) => [
    check('track_masters_size', sql`${t.sizeBytes} > 0`),
    uniqueIndex('track_masters_stored').on(t.trackId).where(sql`stored_at is not null and dropped_at is null`),
    uniqueIndex('track_masters_uploading')
      .on(t.trackId, t.fingerprint)
      .where(sql`stored_at is null and dropped_at is null`),
    index('track_masters_by_owner').on(t.ownerId, t.createdAt),
    index('track_masters_unfinished').on(t.updatedAt).where(sql`stored_at is null or dropped_at is not null`),
  ],
)

export const trackMasterParts = sqliteTable(
  'track_master_parts',
  {
    masterId: text('master_id')
      .notNull()
      .references(() => trackMasters.id),
    /** Number of the part, counted from 1. */
    part: integer('part').notNull(),
    /** R2's ETag of the part, needed to complete the upload. */
    etag: text('etag').notNull(),
  },
  (t) => [primaryKey({ columns: [t.masterId, t.part] })],
)
