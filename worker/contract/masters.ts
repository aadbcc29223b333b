import * as z from 'zod/mini'
import { del, editors, get, post, type RawBody, upload } from './endpoint'
import { line, timestamp } from './fields'
import { MASTER_CONTENT_TYPES } from './file-signatures'

/** Size of every part except the last. */
export const MASTER_PART_BYTES = 16 * 1024 * 1024
export const MAX_MASTER_BYTES = 2 * 1024 ** 3
const MASTER_PART: RawBody = { types: ['application/octet-stream'], maxBytes: MASTER_PART_BYTES }

export const masterPartCount = (sizeBytes: number) => Math.ceil(sizeBytes / MASTER_PART_BYTES)
/** Size of the part with this number, from 1. */
export const masterPartBytes = (sizeBytes: number, part: number) =>
  Math.min(MASTER_PART_BYTES, sizeBytes - (part - 1) * MASTER_PART_BYTES)

/** A lossless file to upload. */
export const MasterFile = z.strictObject({
  fileName: line(255, 'The name of the file'),
  sizeBytes: z
    .int('The size must be a whole number.')
    .check(
      z.positive('This file is empty. Please choose another one.'),
      z.maximum(MAX_MASTER_BYTES, 'A master can be up to 2 GB. Please choose a smaller file.'),
    ),
  contentType: z.enum(MASTER_CONTENT_TYPES, 'A master is a FLAC or WAV file.'),
  /** SHA-256 of name, size, modification time and first bytes, in hex: the same file continues its upload. */
  fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'The fingerprint has 64 hexadecimal digits.')),
})
export type MasterFile = z.infer<typeof MasterFile>

/** An upload in progress; parts that are not in `receivedParts` are missing. */
export const MasterUpload = z.object({ id: z.string(), receivedParts: z.array(z.int()) })
export type MasterUpload = z.infer<typeof MasterUpload>

export const Master = z.object({
  fileName: z.string(),
  contentType: z.enum(MASTER_CONTENT_TYPES),
  sizeBytes: z.int(),
  storedAt: timestamp,
})
export type Master = z.infer<typeof Master>

/** The master of a track, and the latest upload that is not complete. */
export const MasterState = z.object({
  master: z.nullable(Master),
  upload: z.nullable(z.object({ id: z.string(), fileName: z.string(), sizeBytes: z.int(), receivedBytes: z.int() })),
})
export type MasterState = z.infer<typeof MasterState>

/** Masters are private: the site plays the track's audio file, which is another file. */
export const mastersApi = {
  state: get('/api/admin/tracks/:id/master', MasterState, editors),
  download: get('/api/admin/tracks/:id/master/file', null, editors),
  remove: del('/api/admin/tracks/:id/master', null, null, {
    ...editors,
    recentAuth: true,
    starts: 'prepare_downloads',
  }),
  start: post('/api/admin/tracks/:id/master-uploads', MasterFile, MasterUpload, {
    ...editors,
    description: 'Starts an upload, or continues the one of the same file.',
    status: 201,
    starts: 'prepare_downloads',
  }),
  part: upload('/api/admin/master-uploads/:id/parts/:part', null, {
    ...editors,
    accepts: MASTER_PART,
    description: 'Parts are numbered from 1 and may be sent in any order, and more than once.',
  }),
  complete: post('/api/admin/master-uploads/:id/complete', null, Master, {
    ...editors,
    description: '409 `conflict` while parts are missing. Repeating it changes nothing.',
    starts: 'prepare_downloads',
  }),
  cancel: del('/api/admin/master-uploads/:id', null, null, { ...editors, starts: 'prepare_downloads' }),
}
