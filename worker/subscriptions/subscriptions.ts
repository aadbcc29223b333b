import type { Caller } from '../auth/people'
import type { PaidTier, SubscriptionStatus } from '../contract/subscriptions'
import type { Db } from '../db/client'
import { MINUTE, type Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { asked } from '../orders/provider-calls'
import type { Billing } from './billing'
import { GRANTING } from './take-in'
import { trialHashes } from './trials'

type Person = Pick<Caller, 'userId' | 'email' | 'tier'>
type Running = { id: string; tier: PaidTier; status: string; cancels: number }

/** The subscription that a person has, if any: one that has not ended, the latest. */
const RUNNING = `SELECT * FROM subscriptions WHERE user_id = ?1 AND status <> 'ended'
  ORDER BY status IN ${GRANTING} DESC, as_of DESC LIMIT 1`

/** SQL: of ?1, or of another account with the same mailbox or phone, `what` holds: it is once a person (rulings 19, 26). */
const OF_THE_PERSON = (what: string) => `EXISTS (
  SELECT 1 FROM users me JOIN users other ON other.id = me.id OR other.mailbox_key = me.mailbox_key
    OR other.phone_hash = me.phone_hash
  JOIN billing_customers b ON b.user_id = other.id AND ${what} WHERE me.id = ?1)`
/** SQL: the bearer of one of these `trialHashes` had it and is gone. */
const HAD_AND_GONE = (hashes: string) =>
  `EXISTS (SELECT 1 FROM trials_had WHERE hash IN (SELECT value FROM json_each(${hashes})))`
const TRIAL_USED = `SELECT ${OF_THE_PERSON('b.trial_used_at IS NOT NULL')} OR ${HAD_AND_GONE('?2')} AS used`

/** The provider keeps a page open no shorter than half an hour; the hold on the free week outlives it. */
const PAGE: Millis = 31 * MINUTE
const HOLD: Millis = PAGE + 5 * MINUTE

/**
 * Begins another page of ?1 at ?2, and holds the free week for it until ?3 where nobody of the same mailbox or phone
 * (?4) has had it or holds it: one statement, so that of two at once one gets it.
 */
const TURN = `UPDATE billing_customers SET checkouts = checkouts + 1, trial_held_until = iif(
    ${OF_THE_PERSON('(b.trial_used_at IS NOT NULL OR (b.user_id <> me.id AND b.trial_held_until > ?2))')}
    OR ${HAD_AND_GONE('?4')}, NULL, ?3)
  WHERE user_id = ?1 RETURNING checkouts AS turn, trial_held_until IS NOT NULL AS trial`

async function hashesOf(d1: D1Database, secret: string, userId: number): Promise<string> {
  const me = await d1
    .prepare('SELECT mailbox_key AS mailboxKey, phone_hash AS phoneHash FROM users WHERE id = ?1')
    .bind(userId)
    .first<{ mailboxKey: string | null; phoneHash: string | null }>()
  return trialHashes(secret, me ?? { mailboxKey: null, phoneHash: null })
}

/** How a supporter stands. */
export async function subscriptionOf(
  { db, secret }: Pick<Hands, 'db' | 'secret'>,
  { userId, tier }: Person,
): Promise<SubscriptionStatus> {
  const d1 = db.$client
  const [running, trial] = await d1.batch([
    d1.prepare(RUNNING).bind(userId),
    d1.prepare(TRIAL_USED).bind(userId, await hashesOf(d1, secret, userId)),
  ])
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

type Hands = { db: Db; billing: Billing; origin: string; secret: string; at: Millis }

/**
 * Leads a supporter to the provider's page for a tier, or moves the subscription that they have to it at once. The tier
 * itself comes with the webhook.
 * @throws Refused `conflict` for the tier that they have, `unavailable`.
 */
export async function subscribe(
  { db, billing, origin, secret, at }: Hands,
  person: Person,
  tier: PaidTier,
): Promise<string | null> {
  const d1 = db.$client
  const { userId } = person
  const running = await d1.prepare(RUNNING).bind(person.userId).first<Running>()
  if (running && ['trialing', 'active', 'past_due'].includes(running.status)) {
    if (running.tier === tier && !running.cancels)
      throw new Refused('conflict', `You are subscribed to ${tier === 'gold' ? 'Gold' : 'Silver'} already.`)
    await asked(billing.changeTier({ subscriptionId: running.id, tier }))
    return null
  }
  if (running && ['unpaid', 'paused'].includes(running.status))
    throw new Refused('conflict', 'Your last payment failed. Please give another card on the billing page.')
  const customerId = (await customerOf(d1, userId)) ?? (await newCustomer({ db, billing }, person))
  const page = await d1
    .prepare(TURN)
    .bind(userId, at, at + HOLD, await hashesOf(d1, secret, userId))
    .first<{ turn: number; trial: number }>()
  if (!page) throw new Error('The customer that was just written is not there.')
  const had = await asked(billing.closeCheckouts(customerId))
  // Subscribed a moment ago, and the event is still on its way.
  if (had.some(({ status }) => status !== 'ended' && status !== 'incomplete'))
    throw new Refused('conflict', 'You have subscribed just now. Your tier opens within a minute.')
  const trial = page.trial === 1 && had.every(({ trialEndsAt }) => trialEndsAt === null)
  const wish = { customerId, userId, tier, trial, origin, turn: page.turn, until: at + PAGE }
  const opened = await asked(billing.openCheckout(wish))
  // Another page was asked for meanwhile. It may have looked before this one stood open, so this one gives way.
  const latest = await d1.prepare('SELECT checkouts AS turn FROM billing_customers WHERE user_id = ?1').bind(userId)
  if ((await latest.first<{ turn: number }>())?.turn !== page.turn) {
    await asked(billing.closeCheckout(opened.id))
    throw new Refused('conflict', 'You opened this page twice. Please go on in the other one, or try again.')
  }
  if (opened.url === null) throw new Refused('unavailable', 'The payment service did not answer. Please try again.')
  return opened.url
}

/**
 * The provider's page for cards, invoices and cancelling; null for who never subscribed.
 * @throws Refused `unavailable`.
 */
export async function portal(
  { db, billing, origin }: Omit<Hands, 'at' | 'secret'>,
  { userId }: Person,
): Promise<string | null> {
  const customerId = await customerOf(db.$client, userId)
  return customerId === null ? null : asked(billing.openPortal({ customerId, origin }))
}

const customerOf = async (d1: D1Database, userId: number): Promise<string | null> =>
  (
    await d1
      .prepare('SELECT customer_id AS id FROM billing_customers WHERE user_id = ?1')
      .bind(userId)
      .first<{ id: string }>()
  )?.id ?? null

async function newCustomer({ db, billing }: Pick<Hands, 'db' | 'billing'>, { userId, email }: Person): Promise<string> {
  const customerId = await asked(billing.createCustomer({ userId, email }))
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
