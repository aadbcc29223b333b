import * as z from 'zod/mini'
import { Download } from './downloads'
import { get, listQuery, managers, post, visitor } from './endpoint'
import { line, timestamp } from './fields'

export const MAX_CODES_PER_BATCH = 1000
/** How long the browser that redeemed a code can redeem it again. */
export const REDEMPTION_TTL_DAYS = 30

export const CodeBatchDraft = z.strictObject({
  /** For the team: 'Vinyl inserts, May'. */
  name: line(80, 'The name'),
  /** `release:<id>` or `track:<id>`. */
  good: z.string().check(z.regex(/^(release:[\w-]{1,64}|track:[1-9]\d{0,9})$/, 'Choose a release or track.')),
  size: z
    .int('The number of codes must be a whole number.')
    .check(
      z.minimum(1, 'A batch has at least one code.'),
      z.maximum(MAX_CODES_PER_BATCH, `A batch has at most ${MAX_CODES_PER_BATCH} codes.`),
    ),
})
export type CodeBatchDraft = z.infer<typeof CodeBatchDraft>

export const CodeBatch = z.object({
  id: z.string(),
  name: z.string(),
  /** Title of the release or track. */
  title: z.string(),
  size: z.int(),
  redeemed: z.int(),
  createdAt: timestamp,
})
export type CodeBatch = z.infer<typeof CodeBatch>

export const Redemption = z.object({
  downloads: z.array(Download),
  /** The caller was logged in: the account can download for longer than REDEMPTION_TTL_DAYS. */
  isInLibrary: z.boolean(),
})
export type Redemption = z.infer<typeof Redemption>

const managersWithRecentAuth = { ...managers, recentAuth: true } as const

export const downloadCodesApi = {
  batches: get('/api/admin/download-codes', z.array(CodeBatch), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` searches names and titles. Filters `state` (left, used_up), `created`.',
    query: listQuery('id', 'state', 'created'),
  }),
  addBatch: post('/api/admin/download-codes', CodeBatchDraft, CodeBatch, {
    ...managers,
    status: 201,
    starts: 'prepare_downloads',
  }),
  csv: get('/api/admin/download-codes/:id/csv', null, {
    ...managersWithRecentAuth,
    description: 'Codes with their links and whether they were redeemed. Audited, like the cards.',
  }),
  cards: get('/api/admin/download-codes/:id/cards', null, {
    ...managersWithRecentAuth,
    description: 'A page to print: each card has the code and a QR code of its link.',
  }),
  redeem: post(
    '/api/redeem',
    z.strictObject({
      code: line(40, 'The code'),
      /** 22 to 64 random characters A-Z a-z 0-9 _ -, stored by the browser. */
      key: z.string().check(z.regex(/^[\w-]{22,64}$/, 'That key is not valid.')),
    }),
    Redemption,
    {
      ...visitor,
      description: `Works for the first key, and for the same key within ${REDEMPTION_TTL_DAYS} days, so that a caller can retry after a lost response. 400 \`unknown_code\`; 410 \`code_used\`.`,
    },
  ),
}
