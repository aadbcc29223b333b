import type { Caller } from '../auth/current-user'
import type { PaidTier, SubscriptionStatus } from '../contract/subscriptions'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { mapProviderErrors } from '../orders/intents'
import type { Billing } from './billing'
import { GRANTING_STATUSES } from './save-subscription'
import { trialHashes } from './trials'

type Subscriber = Pick<Caller, 'userId' | 'email' | 'tier'>
type RunningSubscription = { id: string; tier: PaidTier; status: string; cancels: number }

/** The subscription that a person has, if any: one that has not ended, the latest. */
const RUNNING_SUBSCRIPTION = `SELECT * FROM subscriptions WHERE user_id = ?1 AND status <> 'ended'
  ORDER BY status IN ${GRANTING_STATUSES} DESC, as_of DESC LIMIT 1`

/** SQL: of ?1, or of another account with the same mailbox or phone, `what` holds: it is once a person (rulings 19, 26). */
const ANY_ACCOUNT_OF_USER = (what: string) => `EXISTS (
  SELECT 1 FROM users me JOIN users other ON other.id = me.id OR other.mailbox_key = me.mailbox_key
    OR other.phone_hash = me.phone_hash
  JOIN billing_customers b ON b.user_id = other.id AND ${what} WHERE me.id = ?1)`
/** SQL: the bearer of one of these `trialHashes` had it and is gone. */
const TRIAL_USED_BY_ERASED = (hashes: string) =>
  `EXISTS (SELECT 1 FROM trials_had WHERE hash IN (SELECT value FROM json_each(${hashes})))`
const TRIAL_USED = `SELECT ${ANY_ACCOUNT_OF_USER('b.trial_used_at IS NOT NULL')} OR ${TRIAL_USED_BY_ERASED('?2')} AS used`

/** The provider keeps a page open no shorter than half an hour; the hold on the free week outlives it. */
const CHECKOUT_PAGE_TTL_MS: Millis = 31 * MINUTE_MS
const TRIAL_HOLD_MS: Millis = CHECKOUT_PAGE_TTL_MS + 5 * MINUTE_MS

/**
 * Begins another page of ?1 at ?2, and holds the free week for it until ?3 where nobody of the same mailbox or phone
 * (?4) has had it or holds it: one statement, so that of two at once one gets it.
 */
const NEXT_CHECKOUT = `UPDATE billing_customers SET checkouts = checkouts + 1, trial_held_until = iif(
    ${ANY_ACCOUNT_OF_USER('(b.trial_used_at IS NOT NULL OR (b.user_id <> me.id AND b.trial_held_until > ?2))')}
    OR ${TRIAL_USED_BY_ERASED('?4')}, NULL, ?3)
  WHERE user_id = ?1 RETURNING checkouts AS turn, trial_held_until IS NOT NULL AS trial`

async function trialHashesOf(d1: D1Database, secret: string, userId: number): Promise<string> {
  const user = await d1
    .prepare('SELECT mailbox_key AS mailboxKey, phone_hash AS phoneHash FROM users WHERE id = ?1')
    .bind(userId)
    .first<{ mailboxKey: string | null; phoneHash: string | null }>()
  return trialHashes(secret, user ?? { mailboxKey: null, phoneHash: null })
}

/** How a supporter stands. */
export async function getSubscriptionStatus(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { userId, tier }: Subscriber,
): Promise<SubscriptionStatus> {
  const d1 = db.$client
  const [running, trial] = await d1.batch([
    d1.prepare(RUNNING_SUBSCRIPTION).bind(userId),
    d1.prepare(TRIAL_USED).bind(userId, await trialHashesOf(d1, secret, userId)),
  ])
  const [row] = (running?.results ?? []) as (RunningSubscription & {
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

type Deps = { db: Db; billing: Billing; origin: string; secret: string; at: Millis }

/**
 * Leads a supporter to the provider's page for a tier, or moves the subscription that they have to it at once. The tier
 * itself comes with the webhook.
 * @throws AppError `conflict` for the tier that they have, `unavailable`.
 */
export async function subscribe(
  { db, billing, origin, secret, at }: Deps,
  subscriber: Subscriber,
  tier: PaidTier,
): Promise<string | null> {
  const d1 = db.$client
  const { userId } = subscriber
  const running = await d1.prepare(RUNNING_SUBSCRIPTION).bind(subscriber.userId).first<RunningSubscription>()
  if (running && ['trialing', 'active', 'past_due'].includes(running.status)) {
    if (running.tier === tier && !running.cancels)
      throw new AppError('conflict', `You are subscribed to ${tier === 'gold' ? 'Gold' : 'Silver'} already.`)
    await mapProviderErrors(billing.changeTier({ subscriptionId: running.id, tier }))
    return null
  }
  if (running && ['unpaid', 'paused'].includes(running.status))
    throw new AppError('conflict', 'Your last payment failed. Please give another card on the billing page.')
  const customerId = (await findCustomerId(d1, userId)) ?? (await createCustomer({ db, billing }, subscriber))
  const page = await d1
    .prepare(NEXT_CHECKOUT)
    .bind(userId, at, at + TRIAL_HOLD_MS, await trialHashesOf(d1, secret, userId))
    .first<{ turn: number; trial: number }>()
  if (!page) throw new Error('The customer that was just written is not there.')
  const previous = await mapProviderErrors(billing.closeCheckouts(customerId))
  // Subscribed a moment ago, and the event is still on its way.
  if (previous.some(({ status }) => status !== 'ended' && status !== 'incomplete'))
    throw new AppError('conflict', 'You have subscribed just now. Your tier opens within a minute.')
  const trial = page.trial === 1 && previous.every(({ trialEndsAt }) => trialEndsAt === null)
  const checkout = {
    customerId,
    userId,
    tier,
    trial,
    origin,
    sequence: page.turn,
    expiresAt: at + CHECKOUT_PAGE_TTL_MS,
  }
  const session = await mapProviderErrors(billing.openCheckout(checkout))
  // Another page was asked for meanwhile. It may have looked before this one stood open, so this one gives way.
  const latest = await d1.prepare('SELECT checkouts AS turn FROM billing_customers WHERE user_id = ?1').bind(userId)
  if ((await latest.first<{ turn: number }>())?.turn !== page.turn) {
    await mapProviderErrors(billing.closeCheckout(session.id))
    throw new AppError('conflict', 'You opened this page twice. Please go on in the other one, or try again.')
  }
  if (session.url === null) throw new AppError('unavailable', 'The payment service did not answer. Please try again.')
  return session.url
}

/**
 * The provider's page for cards, invoices and cancelling; null for who never subscribed.
 * @throws AppError `unavailable`.
 */
export async function openBillingPortal(
  { db, billing, origin }: Omit<Deps, 'at' | 'secret'>,
  { userId }: Subscriber,
): Promise<string | null> {
  const customerId = await findCustomerId(db.$client, userId)
  return customerId === null ? null : mapProviderErrors(billing.openPortal({ customerId, origin }))
}

const findCustomerId = async (d1: D1Database, userId: number): Promise<string | null> =>
  (
    await d1
      .prepare('SELECT customer_id AS id FROM billing_customers WHERE user_id = ?1')
      .bind(userId)
      .first<{ id: string }>()
  )?.id ?? null

async function createCustomer(
  { db, billing }: Pick<Deps, 'db' | 'billing'>,
  { userId, email }: Subscriber,
): Promise<string> {
  const customerId = await mapProviderErrors(billing.createCustomer({ userId, email }))
  await db.$client
    .prepare(
      // Who left meanwhile is forgotten there, too.
      `INSERT INTO billing_customers (user_id, customer_id, forget_wanted_at)
       SELECT id, ?2, erased_at FROM users WHERE id = ?1 ON CONFLICT DO NOTHING`,
    )
    .bind(userId, customerId)
    .run()
  return customerId
}
