import * as z from 'zod/mini'
import { del, get, listQuery, managers, patch, post } from './endpoint'
import { CreatedId, draftVersion, emailAddress, line, prose, timestamp } from './fields'

export const BROADCAST_LIMITS = { subject: 200, markdown: 10_000, city: 80 } as const

/** Confirmed subscribers: all, of one city, or of one tier. */
export const Audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.literal('city'), value: line(BROADCAST_LIMITS.city, 'The city') }),
  z.strictObject({ kind: z.literal('tier'), value: z.enum(['bronze', 'silver', 'gold']) }),
])
export type Audience = z.infer<typeof Audience>

export const AudienceCount = z.object({
  kind: z.enum(['all', 'city', 'tier']),
  value: z.nullable(z.string()),
  people: z.int(),
})
export type AudienceCount = z.infer<typeof AudienceCount>

const markdown = prose(BROADCAST_LIMITS.markdown, 'The text').check(z.minLength(1, 'The text is required.'))

export const BroadcastDraft = z.strictObject({
  subject: line(BROADCAST_LIMITS.subject, 'The subject'),
  /** Markdown; HTML is escaped. */
  markdown,
  audience: Audience,
  version: draftVersion,
})
export type BroadcastDraft = z.infer<typeof BroadcastDraft>

const BroadcastState = z.enum(['draft', 'scheduled', 'sending', 'done', 'cancelled'])

export const Broadcast = z.object({
  id: z.string(),
  subject: z.string(),
  /** `alerts`: sent automatically for a new show. */
  audience: z.object({ kind: z.enum(['all', 'city', 'tier', 'alerts']), value: z.nullable(z.string()) }),
  state: BroadcastState,
  createdAt: timestamp,
  scheduledAt: z.nullable(timestamp),
  startedAt: z.nullable(timestamp),
  finishedAt: z.nullable(timestamp),
  /** Number of its emails; until all are in the outbox, at least the current size of the audience. */
  recipients: z.int(),
  /** `unknown`: the provider's response was lost; not retried. */
  counts: z.object({ waiting: z.int(), sent: z.int(), failed: z.int(), unknown: z.int() }),
})
export type Broadcast = z.infer<typeof Broadcast>

export const BroadcastDetail = z.extend(Broadcast, { markdown: z.string(), version: z.int() })
export type BroadcastDetail = z.infer<typeof BroadcastDetail>

export const broadcastsApi = {
  list: get('/api/admin/broadcasts', z.array(Broadcast), {
    ...managers,
    description:
      'Newest first, 50 per page; `?q=` searches subject and text. Filters `state`, `audience` (all, city, tier, alerts), `created`; sorts `created`, `subject`.',
    query: listQuery('id', 'state', 'audience', 'created'),
  }),
  audiences: get('/api/admin/broadcast-audiences', z.array(AudienceCount), managers),
  broadcast: get('/api/admin/broadcasts/:id', BroadcastDetail, managers),
  create: post('/api/admin/broadcasts', BroadcastDraft, CreatedId, { ...managers, status: 201 }),
  preview: post(
    '/api/admin/broadcast-preview',
    BroadcastDraft,
    z.object({ html: z.string(), text: z.string(), recipients: z.int() }),
    { ...managers, description: 'Renders the email; stores nothing.' },
  ),
  update: patch('/api/admin/broadcasts/:id', BroadcastDraft, null, {
    ...managers,
    description: '409 `conflict` unless it is a draft, and for an older `version`.',
  }),
  remove: del('/api/admin/broadcasts/:id', null, null, {
    ...managers,
    description: '409 `conflict` unless it is a draft.',
  }),
  test: post('/api/admin/broadcasts/:id/test', z.strictObject({ to: emailAddress }), null, {
    ...managers,
    description: 'Sends one email to one address, marked as a test.',
    status: 202,
  }),
  send: post(
    '/api/admin/broadcasts/:id/send',
    z.strictObject({ at: z.optional(timestamp), version: draftVersion }),
    null,
    {
      ...managers,
      description: 'Now, or at a future time. 409 once it is sending, and for an older `version`.',
      status: 202,
    },
  ),
  cancel: post('/api/admin/broadcasts/:id/cancel', null, null, {
    ...managers,
    description: 'A scheduled broadcast becomes a draft again; a running one stops.',
  }),
}
