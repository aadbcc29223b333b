import * as z from 'zod/mini'
import { administrator, get, post } from './endpoint'
import { emailAddress, line, timestamp } from './fields'

export const EXPORT_KINDS = [
  'supporters',
  'newsletter',
  'orders',
  'verse-submissions',
  'golden-verse-votes',
  'points',
] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

/** A CSV that was asked for. It can be fetched while it is `ready` and not over. */
export const ExportFile = z.object({
  id: z.string(),
  kind: z.enum(EXPORT_KINDS),
  state: z.enum(['waiting', 'running', 'ready', 'failed', 'expired']),
  requestedBy: z.string(),
  requestedAt: timestamp,
  /** Lines without the heading: so far while it is running, null before. */
  rows: z.nullable(z.int()),
  /** Null until it is ready, as the two below. */
  sizeBytes: z.nullable(z.int()),
  /** Of the file, lower-case hex. */
  sha256: z.nullable(z.string()),
  expiresAt: z.nullable(timestamp),
})
export type ExportFile = z.infer<typeof ExportFile>

export const exportsApi = {
  /** 202: written in the background; the list says when it is ready. */
  request: post('/api/admin/exports', z.strictObject({ kind: z.enum(EXPORT_KINDS) }), ExportFile, administrator),
  /** Newest first, 50 a page. */
  list: get('/api/admin/exports', z.array(ExportFile), administrator),
  /** text/csv with Range and ETag; 404 unless it is ready. */
  file: get('/api/admin/exports/:id/file', null, administrator),
  /** The ballots of the latest finished challenge as text/csv: no personal data. */
  ballots: get('/api/download/golden-verse-votes', null, administrator),
  /** The same under the address that the specification gives it. */
  ballotsFile: get('/complete_994_votes.csv', null, administrator),
  /** Mails a link to the ballots to any address: signed, good for a day and five downloads (ruling 10). */
  emailBallots: post(
    '/api/email/golden-verse-csv',
    z.strictObject({ email: emailAddress }),
    z.object({ queued: z.literal(true) }),
    administrator,
  ),
  /** Spends one use of a mailed link; answers the ballots as an attachment. 400 `bad_token` once it is over. */
  redeemLink: post('/api/csv-link', z.strictObject({ token: line(200, 'The link') }), null),
}
