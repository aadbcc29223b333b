import type Stripe from 'stripe'
import type { PaidTier, Subscription } from '../contract/subscriptions'
import { type Millis, SECOND_MS } from '../lib/clock'
import type { StripeConfig } from './config'
import { ProviderRejected } from './provider'
import { createStripeCaller, keyWithParams, throwProviderError } from './stripe'

/** A subscription as read from the provider. */
export type ProviderSubscription = {
  id: string
  customerId: string
  /** From the subscription's metadata; 0 if missing. */
  userId: number
  /** Null for an unknown price. */
  tier: PaidTier | null
  /** This subscriber's monthly price, which may differ from the tier's current one; null if unknown. */
  priceCents: number | null
  status: Subscription['status']
  trialEndsAt: Millis | null
  periodEndsAt: Millis | null
  /** The subscription ends after its period, or at another date that is already set. */
  cancels: boolean
}

/** Free days of a first subscription. */
const TRIAL_DAYS = 7

/** Subscriptions through Stripe. Every call may throw the errors of provider.ts. */
export function createStripeBilling(config: StripeConfig, prices: Record<PaidTier, string>) {
  const call = createStripeCaller(config)
  const tierOf = (price: string): PaidTier | null => {
    if (price === prices.gold) return 'gold'
    return price === prices.silver ? 'silver' : null
  }

  const toProviderSubscription = (subscription: Stripe.Subscription): ProviderSubscription => {
    const [item] = subscription.items.data
    const periodEnd = item?.current_period_end ?? null
    return {
      id: subscription.id,
      customerId: typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id,
      userId: Number(subscription.metadata.user_id ?? 0),
      tier: tierOf(item?.price.id ?? ''),
      priceCents: item?.price.unit_amount ?? null,
      // An unknown status grants no tier.
      status: STATUS_BY_STRIPE_STATUS[subscription.status] ?? 'unpaid',
      trialEndsAt: subscription.trial_end === null ? null : subscription.trial_end * SECOND_MS,
      periodEndsAt: periodEnd === null ? null : periodEnd * SECOND_MS,
      cancels: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    }
  }

  return {
    /** Idempotent per user and email. `reference` finds the customer again if the response is lost. */
    createCustomer: ({ userId, email, reference }: { userId: number; email: string; reference: string }) =>
      call(async (stripe) => {
        const params = { metadata: { user_id: String(userId), reference }, ...(email !== '' && { email }) }
        const idempotencyKey = await keyWithParams(`customer:${userId}:v1`, params)
        return stripe.customers.create(params, { idempotencyKey })
      }).then(({ id }) => id),

    /** Ids of the customers with this reference. The provider's search may miss those of the last minutes. */
    findCustomers: (reference: string): Promise<string[]> =>
      call((stripe) => stripe.customers.search({ query: `metadata['reference']:'${reference}'`, limit: 100 })).then(
        ({ data }) => data.map(({ id }) => id),
      ),

    /**
     * Closes the customer's open checkout pages, because each could start a subscription, and returns all subscriptions
     * the customer ever had.
     */
    closeCheckouts: (customerId: string): Promise<ProviderSubscription[]> =>
      call(async (stripe) => {
        const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 20 })
        // A page that was completed meanwhile cannot be closed; its subscription is in the list.
        for (const { id } of open.data)
          await stripe.checkout.sessions.expire(id).catch((error) => throwProviderError(error).catch(ignoreRejection))
        const all = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
        return all.data.map(toProviderSubscription)
      }),

    /** Creates a checkout page at Stripe and returns its id and URL; idempotent per customer and `sequence`. */
    openCheckout: ({ customerId, userId, tier, hasTrial, origin, sequence, expiresAt }: CheckoutPageInput) =>
      call(async (stripe) => {
        const metadata = { user_id: String(userId) }
        const { id, url } = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: prices[tier], quantity: 1 }],
            subscription_data: { metadata, ...(hasTrial && { trial_period_days: TRIAL_DAYS }) },
            success_url: `${origin}/subscribe?subscribed=${tier}`,
            cancel_url: `${origin}/subscribe`,
            expires_at: Math.floor(expiresAt / SECOND_MS),
          },
          { idempotencyKey: `checkout:${customerId}:v${sequence}` },
        )
        return { id, url }
      }),

    /** Closes a checkout page. No error if the page is completed, closed or expired already. */
    closeCheckout: (sessionId: string) =>
      call((stripe) => stripe.checkout.sessions.expire(sessionId)).then(() => undefined, ignoreRejection),

    /** Changes the price immediately, with proration, and revokes a cancellation. */
    changeTier: ({ subscriptionId, tier }: { subscriptionId: string; tier: PaidTier }) =>
      call(async (stripe) => {
        const { items } = await stripe.subscriptions.retrieve(subscriptionId)
        await stripe.subscriptions.update(subscriptionId, {
          items: [{ id: items.data[0]?.id ?? '', price: prices[tier] }],
          proration_behavior: 'create_prorations',
          cancel_at_period_end: false,
        })
      }),

    /** URL of Stripe's page where the customer manages the subscription. */
    openPortal: ({ customerId, origin }: { customerId: string; origin: string }) =>
      call((stripe) =>
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: `${origin}/account` }),
      ).then(({ url }) => url),

    /** Deletes the customer, which ends all its subscriptions. */
    deleteCustomer: (customerId: string) => call((stripe) => stripe.customers.del(customerId)).then(() => undefined),

    readSubscription: (subscriptionId: string): Promise<ProviderSubscription> =>
      call((stripe) => stripe.subscriptions.retrieve(subscriptionId)).then(toProviderSubscription),
  }
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof ProviderRejected)) throw error
}

export type Billing = ReturnType<typeof createStripeBilling>

type CheckoutPageInput = {
  customerId: string
  userId: number
  tier: PaidTier
  hasTrial: boolean
  origin: string
  sequence: number
  expiresAt: Millis
}

const STATUS_BY_STRIPE_STATUS: Partial<Record<Stripe.Subscription.Status, ProviderSubscription['status']>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'ended',
}
