import type Stripe from 'stripe'
import type { PaidTier } from '../contract/subscriptions'
import { type Millis, SECOND_MS } from '../lib/clock'
import type { StripeConfig } from '../payments/config'
import { ProviderRejected } from '../payments/provider'
import { stripeCaller, throwProviderError } from '../payments/stripe'
import type { ProviderSubscription } from './save-subscription'

export type Prices = Record<PaidTier, string>

/** The free days of a first subscription (specification section 1). */
const TRIAL_DAYS = 7

/** What selling tiers asks of Stripe. Every call may fail as provider.ts says. */
export function stripeBilling(config: StripeConfig, prices: Prices) {
  const call = stripeCaller(config)
  const tierOf = (price: string): PaidTier | null =>
    price === prices.gold ? 'gold' : price === prices.silver ? 'silver' : null

  const toProviderSubscription = (subscription: Stripe.Subscription): ProviderSubscription => {
    const [item] = subscription.items.data
    const ends = item?.current_period_end ?? null
    return {
      id: subscription.id,
      customerId: typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id,
      userId: Number(subscription.metadata.user_id ?? 0),
      tier: tierOf(item?.price.id ?? ''),
      priceCents: item?.price.unit_amount ?? null,
      // A state that is new to us grants nothing.
      status: STATUS_BY_STRIPE_STATUS[subscription.status] ?? 'unpaid',
      trialEndsAt: subscription.trial_end === null ? null : subscription.trial_end * SECOND_MS,
      periodEndsAt: ends === null ? null : ends * SECOND_MS,
      cancels: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    }
  }

  return {
    /** The person as Stripe knows them; asked again, the same. */
    createCustomer: ({ userId, email }: { userId: number; email: string }) =>
      call((stripe) =>
        stripe.customers.create(
          { metadata: { user_id: String(userId) }, ...(email !== '' && { email }) },
          { idempotencyKey: `customer:${userId}:v1` },
        ),
      ).then(({ id }) => id),

    /**
     * Closes the pages that stand open, because two would be two subscriptions, and says what became of those that do
     * not: the subscriptions that the person ever had, told to us or not.
     */
    closeCheckouts: (customerId: string): Promise<ProviderSubscription[]> =>
      call(async (stripe) => {
        const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 20 })
        // One that was just completed cannot be closed: its subscription is in the list.
        for (const { id } of open.data)
          await stripe.checkout.sessions.expire(id).catch((error) => throwProviderError(error).catch(ignoreRejection))
        const all = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
        return all.data.map(toProviderSubscription)
      }),

    /** Stripe's own page for the card, open until `until`; the `turn` of a person is one page, however often it is asked for. */
    openCheckout: ({ customerId, userId, tier, trial, origin, sequence: turn, expiresAt: until }: CheckoutPageInput) =>
      call(async (stripe) => {
        const metadata = { user_id: String(userId) }
        const { id, url } = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: prices[tier], quantity: 1 }],
            subscription_data: { metadata, ...(trial && { trial_period_days: TRIAL_DAYS }) },
            success_url: `${origin}/subscribe?subscribed=${tier}`,
            cancel_url: `${origin}/subscribe`,
            expires_at: Math.floor(until / SECOND_MS),
          },
          { idempotencyKey: `checkout:${customerId}:v${turn}` },
        )
        return { id, url }
      }),

    closeCheckout: (sessionId: string) =>
      call((stripe) => stripe.checkout.sessions.expire(sessionId)).then(() => undefined, ignoreRejection),

    /** Moves a running subscription to another price at once; what was paid and not used is set against it. */
    changeTier: ({ subscriptionId, tier }: { subscriptionId: string; tier: PaidTier }) =>
      call(async (stripe) => {
        const { items } = await stripe.subscriptions.retrieve(subscriptionId)
        await stripe.subscriptions.update(subscriptionId, {
          items: [{ id: items.data[0]?.id ?? '', price: prices[tier] }],
          proration_behavior: 'create_prorations',
          cancel_at_period_end: false,
        })
      }),

    openPortal: ({ customerId, origin }: { customerId: string; origin: string }) =>
      call((stripe) =>
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: `${origin}/account` }),
      ).then(({ url }) => url),

    /** For good, with every subscription that the customer has. */
    deleteCustomer: (customerId: string) => call((stripe) => stripe.customers.del(customerId)).then(() => undefined),

    /** How a subscription stands now, whatever an event said of it; `tier` is null for a price that is none of ours. */
    readSubscription: (subscriptionId: string): Promise<ProviderSubscription> =>
      call((stripe) => stripe.subscriptions.retrieve(subscriptionId)).then(toProviderSubscription),
  }
}

function ignoreRejection(error: unknown): void {
  if (!(error instanceof ProviderRejected)) throw error
}
export type Billing = ReturnType<typeof stripeBilling>

type CheckoutPageInput = {
  customerId: string
  userId: number
  tier: PaidTier
  trial: boolean
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
