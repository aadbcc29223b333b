import type { Caller } from '../auth/people'
import type { PaidTier, SubscriptionStatus } from '../contract/subscriptions'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { asked } from '../orders/provider-calls'
import { ProviderRefused } from '../payments/provider'
import type { Billing } from './billing'
import { GRANTING } from './take-in'

type Person = Pick<Caller, 'userId' | 'email' | 'tier'>
type Running = { id: string; tier: PaidTier; status: string; cancels: number }

/** The subscription that a person has, if any: one that has not ended, the latest. */
const RUNNING = `SELECT * FROM subscriptions WHERE user_id = ?1 AND status <> 'ended'
  ORDER BY status IN ${GRANTING} DESC, as_of DESC LIMIT 1`

// Once a person: another account with the same mailbox or phone has had it, too (rulings 19, 26).
const TRIAL_USED = `SELECT EXISTS (
  SELECT 1 FROM users me JOIN users other ON other.id = me.id OR other.mailbox_key = me.mailbox_key
    OR other.phone_hash = me.phone_hash
  JOIN billing_customers b ON b.user_id = other.id AND b.trial_used_at IS NOT NULL WHERE me.id = ?1) AS used`

/** How a supporter stands. */
export async function subscriptionOf(db: Db, { userId, tier }: Person): Promise<SubscriptionStatus> {
  const d1 = db.$client
  const [running, trial] = await d1.batch([d1.prepare(RUNNING).bind(userId), d1.prepare(TRIAL_USED).bind(userId)])
  const [row] = (running?.results ?? []) as (Running & {
    trial_ends_at: Millis | null
    period_ends_at: Millis | null
  })[]
  const [{ used } = { used: 0 }] = (trial?.results ?? []) as { used: number }[]
  return {
    tier,
    subscription: row
      ? {
          tier: row.tier,
          status: row.status as NonNullable<SubscriptionStatus['subscription']>['status'],
          trialEndsAt: iso(row.trial_ends_at),
          periodEndsAt: iso(row.period_ends_at),
          cancels: row.cancels === 1,
        }
      : null,
    trialAvailable: used === 0,
  }
}

const iso = (at: Millis | null) => (at === null ? null : new Date(at).toISOString())

type Hands = { db: Db; billing: Billing; origin: string }

/**
 * Leads a supporter to the provider's page for a tier, or moves the subscription that they have to it at once. The tier
 * itself comes with the webhook.
 * @throws Refused `conflict` for the tier that they have, `unavailable`.
 */
export async function subscribe(
  { db, billing, origin }: Hands,
  person: Person,
  tier: PaidTier,
): Promise<string | null> {
  const d1 = db.$client
  const running = await d1.prepare(RUNNING).bind(person.userId).first<Running>()
  if (running && ['trialing', 'active', 'past_due'].includes(running.status)) {
    if (running.tier === tier && !running.cancels)
      throw new Refused('conflict', `You are subscribed to ${tier === 'gold' ? 'Gold' : 'Silver'} already.`)
    await asked(billing.changeTier({ subscriptionId: running.id, tier }))
    return null
  }
  if (running && ['unpaid', 'paused'].includes(running.status))
    throw new Refused('conflict', 'Your last payment failed. Please give another card on the billing page.')
  const customerId = (await customerOf(d1, person.userId)) ?? (await newCustomer({ db, billing }, person))
  const used = await d1.prepare(TRIAL_USED).bind(person.userId).first<{ used: number }>()
  const wish = { customerId, userId: person.userId, tier, trial: used?.used === 0, origin }
  const url = await asked(billing.openCheckout(wish))
  if (url === null) throw new Refused('unavailable', 'The payment service did not answer. Please try again.')
  return url
}

/** The provider's page for cards, invoices and cancelling. @throws Refused `conflict`, `unavailable`. */
export async function portal({ db, billing, origin }: Hands, { userId }: Person): Promise<string> {
  const customerId = await customerOf(db.$client, userId)
  if (customerId === null) throw new Refused('conflict', 'You have no subscription yet.')
  return asked(billing.openPortal({ customerId, origin }))
}

const customerOf = async (d1: D1Database, userId: number): Promise<string | null> =>
  (
    await d1
      .prepare('SELECT customer_id AS id FROM billing_customers WHERE user_id = ?1')
      .bind(userId)
      .first<{ id: string }>()
  )?.id ?? null

async function newCustomer({ db, billing }: Omit<Hands, 'origin'>, { userId, email }: Person): Promise<string> {
  const customerId = await asked(billing.createCustomer({ userId, email }))
  await db.$client
    .prepare('INSERT INTO billing_customers (user_id, customer_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING')
    .bind(userId, customerId)
    .run()
  return customerId
}

/** Ends at the provider what people had who are gone: nobody pays for an account that does not exist any more. */
export async function cancelOfErased(db: Db, billing: Billing): Promise<void> {
  const { results } = await db.$client
    .prepare(
      `SELECT s.id FROM subscriptions s JOIN users u ON u.id = s.user_id
       WHERE s.status <> 'ended' AND u.erased_at IS NOT NULL LIMIT 25`,
    )
    .all<{ id: string }>()
  for (const { id } of results)
    await billing.cancel(id).then(
      () => undefined,
      (error: Error) => {
        console.error(JSON.stringify({ at: 'cancel-of-erased', error: error.constructor.name }))
        // Gone at the provider already; its webhook may have been missed.
        if (error instanceof ProviderRefused)
          return db.$client.prepare(`UPDATE subscriptions SET status = 'ended' WHERE id = ?1`).bind(id).run()
      },
    )
}
