import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { DOWNLOAD_FORMATS } from '../contract/downloads'
import { users } from '../users/users.table'

/**
 * Files for buyers, at `downloads/<id>` in R2: one for each good and format. Only signed links lead to them. Changed
 * content gets a new row, so that a resumed download never continues with another file.
 */
export const downloadFiles = sqliteTable(
  'download_files',
  {
    id: text('id').primaryKey(),
    /** `release:<id>` or `track:<id>`. */
    good: text('good').notNull(),
    format: text('format', { enum: DOWNLOAD_FORMATS }).notNull(),
    /** SHA-256 of everything that determines the file's bytes. */
    fingerprint: text('fingerprint').notNull(),
    /** File name of the attachment: `first-light-flac.zip`. */
    fileName: text('file_name').notNull(),
    state: text('state', { enum: ['waiting', 'running', 'ready'] })
      .notNull()
      .default('waiting'),
    createdAt: integer('created_at').notNull(),
    /** End of the worker's lease; after a failure, when the next attempt is due. */
    leasedUntil: integer('leased_until').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Incomplete R2 multipart upload and its stored parts, which another worker can continue. */
    multipartId: text('multipart_id'),
    parts: text('parts', { mode: 'json' }).$type<R2UploadedPart[]>().notNull().default([]),
    sizeBytes: integer('size_bytes'),
    /** When the file was replaced or withdrawn. Existing links work until the cleanup job deletes the file. */
    supersededAt: integer('superseded_at'),
  },
  (t) => [
    check('download_files_state', sql`${t.state} in ('waiting', 'running', 'ready')`),
    check('download_files_ready', sql`(${t.state} = 'ready') = (${t.sizeBytes} is not null)`),
    check('download_files_parts', sql`json_valid(${t.parts})`),
    uniqueIndex('download_files_current').on(t.good, t.format, t.fingerprint).where(sql`superseded_at is null`),
    index('download_files_due').on(t.leasedUntil).where(sql`state <> 'ready' and superseded_at is null`),
    index('download_files_superseded').on(t.supersededAt).where(sql`superseded_at is not null`),
  ],
)

/** Download codes of one release or track. */
export const downloadCodeBatches = sqliteTable(
  'download_code_batches',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** `release:<id>` or `track:<id>`. */
    good: text('good').notNull(),
    size: integer('size').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [check('download_code_batches_size', sql`${t.size} between 1 and 1000`)],
)

/** Single-use codes, stored as hashes. A code is derived from its batch, its position and the signing secret. */
export const downloadCodes = sqliteTable(
  'download_codes',
  {
    /** Keyed hash of the code. */
    hash: text('hash').primaryKey(),
    batchId: text('batch_id')
      .notNull()
      .references(() => downloadCodeBatches.id),
    /** From 1. */
    position: integer('position').notNull(),
    /** SHA-256 of the random key of the browser that redeemed the code. */
    keyHash: text('key_hash'),
    redeemedAt: integer('redeemed_at'),
    /** The account whose library has the good. */
    userId: integer('user_id').references(() => users.id),
  },
  (t) => [
    index('download_codes_by_user').on(t.userId).where(sql`user_id is not null`),
    check('download_codes_redeemed', sql`(${t.keyHash} is null) = (${t.redeemedAt} is null)`),
    uniqueIndex('download_codes_of_batch').on(t.batchId, t.position),
  ],
)
