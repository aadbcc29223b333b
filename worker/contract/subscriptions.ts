import * as z from 'zod/mini'
import { get, post, user } from './endpoint'
import { href, timestamp } from './fields'
import { TIERS } from './site'

export const PAID_TIERS = ['silver', 'gold'] as const
export type PaidTier = (typeof PAID_TIERS)[number]

/** `past_due`: a payment is being retried, the tier stays. `unpaid`: retries ended, the tier is removed. */
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
  /** Renewal, or end if `cancels`. */
  periodEndsAt: z.nullable(timestamp),
  /** Canceled: the tier stays until `periodEndsAt`. */
  cancels: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

export const SubscriptionStatus = z.object({
  /** Set by the provider's webhooks only. */
  tier: z.enum(TIERS),
  /** Null without a current subscription. */
  subscription: z.nullable(Subscription),
  /** Whether the first seven days are free: once per user. */
  trialAvailable: z.boolean(),
})
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

const signInMessage = 'Please sign up or login to subscribe'
const supporter = { ...user, signInMessage } as const

/** `checkout` and, for users who never subscribed, `portal` respond 503 `subscriptions_off` while no tiers are sold. */
export const subscriptionsApi = {
  checkout: post(
    '/api/subscriptions/checkout',
    // `free` and `vip` are aliases of bronze and gold.
    z.strictObject({ tier: z.enum([...TIERS, 'free', 'vip']) }),
    z.object({ url: z.nullable(href) }),
    {
      ...supporter,
      description:
        "`url` is the provider's checkout page, which returns to /subscribe?subscribed=silver; null if a running subscription changed tier (prorated), which the webhook confirms. 409 `conflict` for the current tier.",
    },
  ),
  portal: post('/api/subscriptions/portal', null, z.object({ url: href }), {
    ...supporter,
    description:
      "The provider's billing portal; returns to /account. Available to subscribers even while no tiers are sold. For users who never subscribed 409 `conflict`, or 503 `subscriptions_off` if none are sold.",
  }),
  status: get('/api/subscriptions/status', SubscriptionStatus, supporter),
}
