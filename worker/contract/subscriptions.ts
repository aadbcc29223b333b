import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { href, timestamp } from './fields'
import { TIERS } from './site'

/** Tiers that are paid for; `free` and `vip` are other names of bronze and gold (ruling 26). */
export const PAID_TIERS = ['silver', 'gold'] as const
export type PaidTier = (typeof PAID_TIERS)[number]

/** `past_due`: a payment failed and is being tried again, the tier stays meanwhile. `unpaid`: given up, the tier is gone. */
export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'ended',
] as const

export const Subscription = z.object({
  tier: z.enum(PAID_TIERS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  trialEndsAt: z.nullable(timestamp),
  /** When it renews, or where `cancels` ends. */
  periodEndsAt: z.nullable(timestamp),
  /** Cancelled: the tier stays until `periodEndsAt`. */
  cancels: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

export const SubscriptionStatus = z.object({
  /** The tier as it stands: granted and withdrawn by the provider's webhooks alone. */
  tier: z.enum(TIERS),
  /** Null for who has none, or had one that ended. */
  subscription: z.nullable(Subscription),
  /** Whether the first seven days would be free: once a person. */
  trialAvailable: z.boolean(),
})
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

const signInMessage = 'Please sign up or login to subscribe'
const supporter = { role: 'supporter', signInMessage } as const

/** What sells is 503 `subscriptions_off` while `subscriptions` is false in the configuration. */
export const subscriptionsApi = {
  /**
   * `url` is the provider's page, to go to; null where a running subscription has been changed to the tier at once
   * (prorated), and the tier follows with the webhook. 409 `conflict` for the tier that one has, 400 for bronze, 503
   * `unavailable`. The provider's page leads back to /subscribe?subscribed=silver, or to /subscribe when given up.
   */
  checkout: post(
    '/api/subscriptions/checkout',
    z.strictObject({ tier: z.enum([...TIERS, 'free', 'vip']) }),
    z.object({ url: z.nullable(href) }),
    supporter,
  ),
  /**
   * The provider's page for cards, invoices and cancelling; leads back to /account. It stays open to subscribers where
   * nothing is sold any more. 409 `conflict` for who never subscribed, or 503 `subscriptions_off`.
   */
  portal: post('/api/subscriptions/portal', null, z.object({ url: href }), supporter),
  status: get('/api/subscriptions/status', SubscriptionStatus, supporter),
}
