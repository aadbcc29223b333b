import type Stripe from 'stripe'
import type { PaidTier } from '../contract/subscriptions'
import { type Millis, SECOND } from '../lib/clock'
import type { StripeConfig } from '../payments/config'
import { ProviderRefused } from '../payments/provider'
import { askStripe, said } from '../payments/stripe'
import type { Reading } from './take-in'

export type Prices = Record<PaidTier, string>

/** The free days of a first subscription (specification section 1). */
const TRIAL_DAYS = 7

/** What selling tiers asks of Stripe. Every call may fail as provider.ts says. */
export function stripeBilling(config: StripeConfig, prices: Prices) {
  const ask = askStripe(config)
  const tierOf = (price: string): PaidTier | null =>
    price === prices.gold ? 'gold' : price === prices.silver ? 'silver' : null

  const reading = (subscription: Stripe.Subscription): Reading => {
    const [item] = subscription.items.data
    const ends = item?.current_period_end ?? null
    return {
      id: subscription.id,
      customerId: typeof subscription.customer === 'string' ? subscription.customer : subscription.customer.id,
      userId: Number(subscription.metadata.user_id ?? 0),
      tier: tierOf(item?.price.id ?? ''),
      priceCents: item?.price.unit_amount ?? null,
      // A state that is new to us grants nothing.
      status: STATUSES[subscription.status] ?? 'unpaid',
      trialEndsAt: subscription.trial_end === null ? null : subscription.trial_end * SECOND,
      periodEndsAt: ends === null ? null : ends * SECOND,
      cancels: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    }
  }

  return {
    /** The person as Stripe knows them; asked again, the same. */
    createCustomer: ({ userId, email }: { userId: number; email: string }) =>
      ask((stripe) =>
        stripe.customers.create(
          { metadata: { user_id: String(userId) }, ...(email !== '' && { email }) },
          { idempotencyKey: `customer:${userId}:v1` },
        ),
      ).then(({ id }) => id),

    /**
     * Closes the pages that stand open, because two would be two subscriptions, and says what became of those that do
     * not: the subscriptions that the person ever had, told to us or not.
     */
    closeCheckouts: (customerId: string): Promise<Reading[]> =>
      ask(async (stripe) => {
        const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open', limit: 20 })
        // One that was just completed cannot be closed: its subscription is in the list.
        for (const { id } of open.data)
          await stripe.checkout.sessions.expire(id).catch((error) => said(error).catch(unlessRefused))
        const all = await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
        return all.data.map(reading)
      }),

    /** Stripe's own page for the card, open until `until`; the `turn` of a person is one page, however often it is asked for. */
    openCheckout: ({ customerId, userId, tier, trial, origin, turn, until }: Checkout) =>
      ask(async (stripe) => {
        const metadata = { user_id: String(userId) }
        const { id, url } = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            line_items: [{ price: prices[tier], quantity: 1 }],
            subscription_data: { metadata, ...(trial && { trial_period_days: TRIAL_DAYS }) },
            success_url: `${origin}/subscribe?subscribed=${tier}`,
            cancel_url: `${origin}/subscribe`,
            expires_at: Math.floor(until / SECOND),
          },
          { idempotencyKey: `checkout:${customerId}:v${turn}` },
        )
        return { id, url }
      }),

    closeCheckout: (sessionId: string) =>
      ask((stripe) => stripe.checkout.sessions.expire(sessionId)).then(() => undefined, unlessRefused),

    /** Moves a running subscription to another price at once; what was paid and not used is set against it. */
    changeTier: ({ subscriptionId, tier }: { subscriptionId: string; tier: PaidTier }) =>
      ask(async (stripe) => {
        const { items } = await stripe.subscriptions.retrieve(subscriptionId)
        await stripe.subscriptions.update(subscriptionId, {
          items: [{ id: items.data[0]?.id ?? '', price: prices[tier] }],
          proration_behavior: 'create_prorations',
          cancel_at_period_end: false,
        })
      }),

    openPortal: ({ customerId, origin }: { customerId: string; origin: string }) =>
      ask((stripe) =>
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: `${origin}/account` }),
      ).then(({ url }) => url),

    /** For good, with every subscription that the customer has. */
    deleteCustomer: (customerId: string) => ask((stripe) => stripe.customers.del(customerId)).then(() => undefined),

    /** How a subscription stands now, whatever an event said of it; `tier` is null for a price that is none of ours. */
    read: (subscriptionId: string): Promise<Reading> =>
      ask((stripe) => stripe.subscriptions.retrieve(subscriptionId)).then(reading),
  }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ProviderRefused)) throw error
}
export type Billing = ReturnType<typeof stripeBilling>

type Checkout = {
  customerId: string
  userId: number
  tier: PaidTier
  trial: boolean
  origin: string
  turn: number
  until: Millis
}

const STATUSES: Partial<Record<Stripe.Subscription.Status, Reading['status']>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'ended',
}
