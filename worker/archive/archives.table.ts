import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

/** Progress of an archive. Each step depends only on this value, the recorded entries and immutable files. */
export type ArchiveProgress =
  | {
      phase: 'tables'
      /** Sections (a table, or some of its rows) not read yet. Children come before the parents that they refer to. */
      left: string[]
      /** Last rowid read of the first section in `left`. */
      after: number
      /** Rows per page. */
      limit: number
      /** Pages of the first section that are written. */
      pages: number
    }
  | {
      phase: 'files'
      /** Last R2 key listed; null before the first page. */
      after: string | null
    }
  | { phase: 'digests' }
  | { phase: 'manifest' }
  | { phase: 'upload'; part: number; totalBytes: number }
  | { phase: 'done' }

/** An archive of the whole site, written to R2 in steps. */
export const archives = sqliteTable(
  'archives',
  {
    id: text('id').primaryKey(),
    state: text('state', { enum: ['running', 'ready', 'failed'] })
      .notNull()
      .default('running'),
    /** Null for a weekly archive and for one made on the command line. */
    requestedBy: integer('requested_by').references(() => users.id),
    createdAt: integer('created_at').notNull(),
    /** When its last step ended. */
    updatedAt: integer('updated_at').notNull(),
    progress: text('progress').notNull(),
    /** How often it started over because a file was replaced or deleted while archiving. */
    restarts: integer('restarts').notNull().default(0),
    uploadId: text('upload_id'),
    /** Header of the age format, base64; null without a passphrase. */
    ageHeader: text('age_header'),
    /** Key of the encrypted file, base64; set to null once the archive is ready or has failed. */
    ageKey: text('age_key'),
    rows: integer('rows'),
    files: integer('files'),
    sizeBytes: integer('size_bytes'),
    finishedAt: integer('finished_at'),
    expiresAt: integer('expires_at'),
  },
  (t) => [
    check('archives_state', sql`${t.state} in ('running', 'ready', 'failed')`),
    check('archives_ready', sql`${t.state} <> 'ready' or (${t.sizeBytes} is not null and ${t.ageKey} is null)`),
    index('archives_newest').on(t.createdAt),
  ],
)

/** A file inside an unfinished archive. */
export const archiveEntries = sqliteTable(
  'archive_entries',
  {
    archiveId: text('archive_id')
      .notNull()
      .references(() => archives.id),
    path: text('path').notNull(),
    /** Order in the archive: the manifest, then tables in reverse of the order in which they are read, then files. */
    position: integer('position').notNull(),
    /** R2 key of its bytes. */
    source: text('source').notNull(),
    etag: text('etag').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** Lower-case hex; null until the file is digested. */
    sha256: text('sha256'),
    rows: integer('rows'),
    /** R2 metadata of a stored file, JSON; null for pages of rows and for the manifest. */
    metadata: text('metadata'),
    /** Byte offset of its header in the archive; null until the manifest is written. */
    offset: integer('offset'),
  },
  (t) => [
    primaryKey({ columns: [t.archiveId, t.path] }),
    index('archive_entries_in_order').on(t.archiveId, t.position),
    index('archive_entries_by_offset').on(t.archiveId, t.offset),
    index('archive_entries_to_digest').on(t.archiveId, t.position).where(sql`sha256 is null`),
  ],
)

/** An uploaded part of an unfinished archive. */
export const archiveParts = sqliteTable(
  'archive_parts',
  {
    archiveId: text('archive_id')
      .notNull()
      .references(() => archives.id),
    part: integer('part').notNull(),
    etag: text('etag').notNull(),
  },
  (t) => [primaryKey({ columns: [t.archiveId, t.part] })],
)
