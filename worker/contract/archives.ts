import * as z from 'zod/mini'
import { get, managers, owners, post } from './endpoint'
import { timestamp } from './fields'

export const MIN_PASSPHRASE_LENGTH = 12

/** An archive of the whole site; downloadable while `ready`. */
export const Archive = z.object({
  id: z.string(),
  state: z.enum(['running', 'ready', 'failed']),
  /** Null for a weekly archive. */
  requestedBy: z.nullable(z.string()),
  requestedAt: timestamp,
  encrypted: z.boolean(),
  // `rows`, `files`, `sizeBytes` and `expiresAt` are null until the archive is ready.
  rows: z.nullable(z.int()),
  files: z.nullable(z.int()),
  sizeBytes: z.nullable(z.int()),
  expiresAt: z.nullable(timestamp),
})
export type Archive = z.infer<typeof Archive>

const ArchiveRequest = z.strictObject({
  /** Encrypts the archive; the passphrase is not stored. */
  passphrase: z.optional(
    z
      .string()
      .check(
        z.minLength(MIN_PASSPHRASE_LENGTH, `A passphrase has at least ${MIN_PASSPHRASE_LENGTH} characters.`),
        z.maxLength(200, 'A passphrase has at most 200 characters.'),
      ),
  ),
})

/** Number of rows that wait for a queue. */
const QueueDepth = z.object({ name: z.string(), waiting: z.int() })

export const SystemStatus = z.object({
  version: z.string(),
  /** The last applied migration. */
  migration: z.string(),
  origin: z.string(),
  database: z.object({ sizeBytes: z.int(), maxBytes: z.int() }),
  /** Sum of the files in the bucket, without resized images. */
  filesBytes: z.int(),
  /** The newest archive that can be downloaded. */
  lastArchive: z.nullable(z.object({ at: timestamp, sizeBytes: z.int() })),
  /** `off`: no keys, nothing can be bought. `test`: no card is charged. */
  payments: z.enum(['off', 'test', 'live']),
  /** Sender of all email. */
  mailFrom: z.string(),
  queues: z.array(QueueDepth),
  emails: z.object({
    failedLastDay: z.int(),
    /** Emails that may have been sent; an admin decides whether to retry them. */
    unknown: z.int(),
  }),
  /** Messages about problems that an owner must act on. */
  problems: z.array(z.string()),
})
export type SystemStatus = z.infer<typeof SystemStatus>

export const archivesApi = {
  status: get('/api/admin/system', SystemStatus, managers),
  list: get('/api/admin/archives', z.array(Archive), { ...managers, description: 'The latest 20, newest first.' }),
  request: post('/api/admin/archives', ArchiveRequest, Archive, {
    ...owners,
    recentAuth: true,
    description: '202: written in the background. 409 `conflict` while another archive is being written.',
    status: 202,
  }),
  file: get('/api/admin/archives/:id/file', null, {
    ...owners,
    recentAuth: true,
    description: 'application/x-tar, or the age format, with Range and ETag; 404 unless ready.',
  }),
}
