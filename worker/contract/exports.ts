import * as z from 'zod/mini'
import { get, managers, post, visitor } from './endpoint'
import { emailAddress, line, timestamp } from './fields'

export const EXPORT_KINDS = [
  'supporters',
  'newsletter',
  'orders',
  'order-lines',
  'verse-submissions',
  'golden-verse-votes',
  'points',
] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

/** A requested CSV export; downloadable while `ready`. */
export const ExportFile = z.object({
  id: z.string(),
  kind: z.enum(EXPORT_KINDS),
  state: z.enum(['waiting', 'running', 'ready', 'failed', 'expired']),
  requestedBy: z.string(),
  requestedAt: timestamp,
  /** Rows without the header, so far while running; null before. */
  rows: z.nullable(z.int()),
  /** Null until ready, like the next two. */
  sizeBytes: z.nullable(z.int()),
  /** Lower-case hex. */
  sha256: z.nullable(z.string()),
  expiresAt: z.nullable(timestamp),
})
export type ExportFile = z.infer<typeof ExportFile>

export const exportsApi = {
  /** 202: written in the background. */
  request: post('/api/admin/exports', z.strictObject({ kind: z.enum(EXPORT_KINDS) }), ExportFile, {
    ...managers,
    recentAuth: true,
  }),
  /** Newest first, 50 per page. Filters `kind`, `state`, `requested`; sort `requested`. */
  list: get('/api/admin/exports', z.array(ExportFile), managers),
  /** text/csv with Range and ETag; 404 unless ready. */
  file: get('/api/admin/exports/:id/file', null, { ...managers, recentAuth: true }),
  /** The ballots of the latest finished challenge as text/csv, without personal data. */
  ballots: get('/api/download/golden-verse-votes', null, managers),
  /** The same file at a fixed path outside the API. */
  ballotsFile: get('/complete_994_votes.csv', null, managers),
  /** Emails a signed link to the ballots, valid for a day and five downloads. */
  emailBallots: post(
    '/api/email/golden-verse-csv',
    z.strictObject({ email: emailAddress }),
    z.object({ queued: z.literal(true) }),
    managers,
  ),
  /** Uses one download of an emailed link; responds with the ballots as an attachment. 400 `bad_token` if expired. */
  redeemLink: post('/api/csv-link', z.strictObject({ token: line(200, 'The link') }), null, visitor),
}
