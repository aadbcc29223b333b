import * as z from 'zod/mini'
import { get, managers, owners, post } from './endpoint'
import { timestamp } from './fields'

export const MIN_PASSPHRASE_LENGTH = 12

/** An archive of the whole site; downloadable while `ready`. */
export const Archive = z.object({
  id: z.string(),
  state: z.enum(['running', 'ready', 'failed']),
  /** Null for a weekly archive and for one made on the command line. */
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

export const archivesApi = {
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
