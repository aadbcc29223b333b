import * as z from 'zod/mini'
import { del, get, owners, patch, post, visitor } from './endpoint'
import { line, timestamp } from './fields'

/** Areas of the API that an access token can be granted, with their labels. */
export const TOKEN_AREAS = {
  metrics: 'Metrics and sales',
  orders: 'Orders and payments',
  shop: 'Products, discounts and shipping',
  music: 'Music and files',
  shows: 'Shows and check-in',
  community: 'Posts, polls and missions',
  challenge: 'Verse challenge',
  supporters: 'Supporters and points',
  email: 'Newsletter and broadcasts',
  site: 'Site and theme',
} as const
export type TokenArea = keyof typeof TOKEN_AREAS
export type TokenScope = `${TokenArea}:${'read' | 'write'}`

/** `write` does not include `read`. Metrics have no `write`. */
export const TOKEN_SCOPES = (Object.keys(TOKEN_AREAS) as TokenArea[])
  .flatMap((area): TokenScope[] => [`${area}:read`, `${area}:write`])
  // The return type keeps TypeScript from narrowing the element type.
  .filter((scope): boolean => scope !== 'metrics:write')

const MAX_TOKEN_DAYS = 366
/** Prefix by which secret scanners recognize an access token. */
export const TOKEN_PREFIX = 'ahpat_'
export const TOKEN_REQUESTS_PER_MINUTE = 120

export const ApiToken = z.object({
  id: z.string(),
  name: z.string(),
  /** The last four characters. */
  hint: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  /** Username of the team member it acts for. */
  owner: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  /** Accurate to ten minutes; null if it was never used. */
  lastUsedAt: z.nullable(timestamp),
  /** `inactive`: its owner is banned or, since creation, left the team or ended all sessions (new password too). */
  state: z.enum(['active', 'expired', 'inactive']),
})
export type ApiToken = z.infer<typeof ApiToken>

export const ApiTokenDraft = z.strictObject({
  name: line(60, 'The name'),
  scopes: z
    .array(z.enum(TOKEN_SCOPES))
    .check(z.minLength(1, 'Please choose at least one permission.'), z.maxLength(TOKEN_SCOPES.length)),
  expiresInDays: z
    .int('Please choose when the token expires.')
    .check(z.minimum(1), z.maximum(MAX_TOKEN_DAYS, `A token lasts at most ${MAX_TOKEN_DAYS} days.`)),
})
export type ApiTokenDraft = z.infer<typeof ApiTokenDraft>

/** Events that webhooks report, and the `data` of each. */
export const WEBHOOK_EVENTS = {
  'order.paid': z.object({ orderId: z.string(), totalCents: z.int(), currency: z.string(), units: z.int() }),
  /** Once the supporter's email is confirmed. */
  'supporter.joined': z.object({ supporterId: z.int() }),
  'show.checked_in': z.object({ showId: z.string(), supporterId: z.int() }),
  'release.published': z.object({ releaseId: z.string(), slug: z.string(), title: z.string() }),
} as const
export type WebhookEventType = keyof typeof WEBHOOK_EVENTS
export const WEBHOOK_EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]

export const WEBHOOK_EVENT_LABELS: Readonly<Record<WebhookEventType, string>> = {
  'order.paid': 'An order is paid',
  'supporter.joined': 'A supporter signs up and confirms the email',
  'show.checked_in': 'A supporter checks in at a show',
  'release.published': 'A release comes out',
}

const url = line(500, 'The address')
const events = z
  .array(z.enum(WEBHOOK_EVENT_TYPES))
  .check(z.minLength(1, 'Please choose at least one event.'), z.maxLength(WEBHOOK_EVENT_TYPES.length))

export const WebhookDraft = z.strictObject({ url, events, enabled: z.boolean() })
export type WebhookDraft = z.infer<typeof WebhookDraft>

export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
  createdAt: timestamp,
  /** `failing`: every attempt failed for days. `gone`: the receiver answered 410. */
  state: z.enum(['active', 'off', 'failing', 'gone']),
  /** Until then deliveries also carry a signature with the previous secret; else null. */
  previousSecretUntil: z.nullable(timestamp),
})
export type Webhook = z.infer<typeof Webhook>

/** Shown once: `whsec_` and the key in base64. */
const WebhookSecret = z.object({ secret: z.string() })

export const WebhookDelivery = z.object({
  id: z.string(),
  /** The header `webhook-id`: the same for every attempt and replay. */
  eventId: z.string(),
  /** An event type, or `test`. */
  type: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  createdAt: timestamp,
  /** Time of the next attempt; null unless waiting. */
  nextAttemptAt: z.nullable(timestamp),
  /** The body of the request. */
  body: z.string(),
  /** The last ten, oldest first; `status` is null without a response. */
  attempts: z.array(
    z.object({ at: timestamp, status: z.nullable(z.int()), milliseconds: z.int(), error: z.nullable(z.string()) }),
  ),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

const ownersWithRecentAuth = { ...owners, recentAuth: true } as const

export const developersApi = {
  openApi: get('/api/openapi.json', z.looseObject({ openapi: z.string() }), {
    ...visitor,
    description: 'The OpenAPI 3.1 description of the API. /developers renders it as a page.',
  }),
  tokens: get('/api/admin/api-tokens', z.array(ApiToken), {
    ...owners,
    description: "The team's access tokens, newest first.",
  }),
  createToken: post('/api/admin/api-tokens', ApiTokenDraft, z.extend(ApiToken, { token: z.string() }), {
    ...ownersWithRecentAuth,
    description: 'Creates a token that acts for the caller, and notifies the owners by email. `token` is shown once.',
    status: 201,
  }),
  revokeToken: del('/api/admin/api-tokens/:id', null, null, owners),
  webhooks: get('/api/admin/webhooks', z.array(Webhook), owners),
  addWebhook: post(
    '/api/admin/webhooks',
    z.omit(WebhookDraft, { enabled: true }),
    z.extend(Webhook, WebhookSecret.shape),
    {
      ...ownersWithRecentAuth,
      description: '`secret` is shown once. 400 `bad_input` for an address that is not public.',
      status: 201,
    },
  ),
  changeWebhook: patch('/api/admin/webhooks/:id', WebhookDraft, null, {
    ...ownersWithRecentAuth,
    description: '`enabled: true` also delivers what is waiting.',
    starts: 'deliver_webhooks',
  }),
  removeWebhook: del('/api/admin/webhooks/:id', null, null, {
    ...owners,
    description: 'Deletes it with its deliveries.',
  }),
  rotateSecret: post('/api/admin/webhooks/:id/rotate', null, WebhookSecret, {
    ...ownersWithRecentAuth,
    description: 'For a day, deliveries are signed with both secrets. `secret` is shown once.',
  }),
  testWebhook: post('/api/admin/webhooks/:id/test', null, null, {
    ...owners,
    description: 'Sends an event of type `test`.',
    status: 202,
    starts: 'deliver_webhooks',
  }),
  deliveries: get('/api/admin/webhooks/:id/deliveries', z.array(WebhookDelivery), {
    ...owners,
    description: 'The latest 100, newest first.',
  }),
  replay: post('/api/admin/webhook-deliveries/:id/replay', null, null, {
    ...owners,
    description: 'Sends it again now, under the same `webhook-id`.',
    status: 202,
    starts: 'deliver_webhooks',
  }),
}
