import * as z from 'zod/mini'
import { del, get, managers, post, visitor } from './endpoint'
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

/** Columns to choose from in an export, in the order of the file. */
export const ExportColumns = z.object({ kind: z.enum(EXPORT_KINDS), columns: z.array(z.string()) })
export type ExportColumns = z.infer<typeof ExportColumns>

/** Without `columns`, the file has all columns. */
export const ExportRequest = z.strictObject({
  kind: z.enum(EXPORT_KINDS),
  columns: z.optional(
    z
      .array(line(60, 'The column'))
      .check(z.minLength(1, 'Please choose at least one column.'), z.maxLength(60, 'Please choose fewer columns.')),
  ),
})
export type ExportRequest = z.infer<typeof ExportRequest>

/** A weekly export; a link to each file is emailed to the admin who set it up. */
export const ExportSchedule = z.object({
  id: z.string(),
  kind: z.enum(EXPORT_KINDS),
  /** Null for all columns. */
  columns: z.nullable(z.array(z.string())),
  nextAt: timestamp,
  requestedBy: z.string(),
  /** Masked. */
  email: z.string(),
  /** The caller set it up. */
  isOwn: z.boolean(),
})
export type ExportSchedule = z.infer<typeof ExportSchedule>

/** A requested CSV export; downloadable while `ready`. */
export const ExportFile = z.object({
  id: z.string(),
  kind: z.enum(EXPORT_KINDS),
  state: z.enum(['waiting', 'running', 'ready', 'failed', 'expired']),
  requestedBy: z.string(),
  requestedAt: timestamp,
  /** Number of rows without the header; while running, of those written so far; null before. */
  rows: z.nullable(z.int()),
  /** Null until ready. */
  sizeBytes: z.nullable(z.int()),
  /** Lower-case hex; null until ready. */
  sha256: z.nullable(z.string()),
  /** Null until ready. */
  expiresAt: z.nullable(timestamp),
  /** Null for all columns. */
  columns: z.nullable(z.array(z.string())),
  /** By content and day of the request: `supporters-2026-11-22.csv`. */
  fileName: z.string(),
})
export type ExportFile = z.infer<typeof ExportFile>

/** Also the path of `exportsApi.ballotsFile`. */
export const BALLOTS_FILE_NAME = 'complete_994_votes.csv'

export const exportsApi = {
  columns: get('/api/admin/export-columns', z.array(ExportColumns), { ...managers, description: 'One row per kind.' }),
  request: post('/api/admin/exports', ExportRequest, ExportFile, {
    ...managers,
    recentAuth: true,
    description: '202: written in the background.',
    status: 202,
  }),
  list: get('/api/admin/exports', z.array(ExportFile), {
    ...managers,
    description: 'Newest first, 50 per page. Filters `kind`, `state`, `requested`; sort `requested`.',
    query: ['sort', 'cursor', 'id', 'kind', 'state', 'requested'],
  }),
  file: get('/api/admin/exports/:id/file', null, {
    ...managers,
    recentAuth: true,
    description: 'text/csv with Range and ETag; 404 unless ready.',
  }),
  schedules: get('/api/admin/export-schedules', z.array(ExportSchedule), {
    ...managers,
    description: 'Weekly exports of the whole team.',
  }),
  schedule: post('/api/admin/export-schedules', ExportRequest, ExportSchedule, {
    ...managers,
    recentAuth: true,
    description:
      'Exports every Monday at 7 AM in the artist’s time zone, and emails the caller a link. A caller’s second schedule of a kind replaces the columns of the first.',
  }),
  unschedule: del('/api/admin/export-schedules/:id', null, null, {
    ...managers,
    description: "404 `not_found` unless it is the caller's.",
  }),
  ballots: get('/api/download/golden-verse-votes', null, {
    ...managers,
    description: 'The ballots of the latest finished challenge as text/csv, without personal data.',
  }),
  ballotsFile: get('/complete_994_votes.csv', null, {
    ...managers,
    description: 'The file of `/api/download/golden-verse-votes` at a fixed path outside the API.',
  }),
  emailBallots: post(
    '/api/email/golden-verse-csv',
    z.strictObject({ email: emailAddress }),
    z.object({ queued: z.literal(true) }),
    { ...managers, description: 'Emails a signed link to the ballots, valid for a day and five downloads.' },
  ),
  redeemLink: post('/api/csv-link', z.strictObject({ token: line(200, 'The link') }), null, {
    ...visitor,
    description:
      'Uses one download of an emailed link; responds with the ballots as an attachment. 400 `bad_token` if expired.',
  }),
}
