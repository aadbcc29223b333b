import { and, asc, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Caller } from '../auth/current-user'
import type { PaidTier, SubscriptionStatus } from '../contract/subscriptions'
import type { Db } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { HOUR_MS, MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { sign } from '../lib/crypto'
import { identityHashes } from '../lib/keyed-hashes'
import { logError } from '../lib/log'
import type { Billing } from '../payments/billing'
import { mapBillingErrors, ProviderRejected } from '../payments/provider'
import { users } from '../users/users.table'
import { GRANTING_STATUSES, GRANTING_STATUSES_SQL } from './subscription-events'
import { billingCustomers } from './subscriptions.table'

type Subscriber = Pick<Caller, 'userId' | 'email' | 'tier'>
type RunningSubscription = { id: string; tier: PaidTier; status: string; cancels: number }

/** The latest subscription of user ?1 that has not ended; one that grants a tier takes precedence. */
const RUNNING_SUBSCRIPTION = `SELECT * FROM subscriptions WHERE user_id = ?1 AND status <> 'ended'
  ORDER BY status IN ${GRANTING_STATUSES_SQL} DESC, as_of DESC LIMIT 1`

/** SQL: `condition` on `customer` holds for user ?1 or another account with the same mailbox or phone. */
const anyAccountOfUserSql = (condition: string) => `EXISTS (
  SELECT 1 FROM users account JOIN users other ON other.id = account.id OR other.mailbox_key = account.mailbox_key
    OR other.phone_hash = account.phone_hash
  JOIN billing_customers customer ON customer.user_id = other.id AND ${condition} WHERE account.id = ?1)`
/** SQL: an erased user with one of these hashes (from `trialHashesOf`) had a trial. */
const trialUsedByErasedSql = (hashes: string) =>
  `EXISTS (SELECT 1 FROM trials_had WHERE hash IN (SELECT value FROM json_each(${hashes})))`
const TRIAL_USED = `SELECT ${anyAccountOfUserSql('customer.trial_used_at IS NOT NULL')} OR ${trialUsedByErasedSql('?2')} AS used`

/** How long a checkout page lives. The provider's minimum is 30 minutes. */
const CHECKOUT_PAGE_TTL_MS: Millis = 31 * MINUTE_MS
/** The trial is held longer than the page lives. */
const TRIAL_HOLD_MS: Millis = CHECKOUT_PAGE_TTL_MS + 5 * MINUTE_MS

/**
 * Counts user ?1's next checkout. Holds the trial from ?2 until ?3, unless the user or another account of the same
 * mailbox or phone used it (erased accounts: hashes ?4), or another account holds it. Atomic for concurrent checkouts.
 */
const NEXT_CHECKOUT = `UPDATE billing_customers SET checkouts = checkouts + 1, trial_held_until = iif(
    ${anyAccountOfUserSql('(customer.trial_used_at IS NOT NULL OR (customer.user_id <> account.id AND customer.trial_held_until > ?2))')}
    OR ${trialUsedByErasedSql('?4')}, NULL, ?3)
  WHERE user_id = ?1 RETURNING checkouts AS sequence, trial_held_until IS NOT NULL AS trial`

/** Keyed hashes by which a trial stays used after an erasure, as a JSON array for SQL. */
async function trialHashesOf({ db, secret }: Pick<Deps, 'db' | 'secret'>, userId: number): Promise<string> {
  const [user] = await db
    .select({ mailboxKey: users.mailboxKey, phoneHash: users.phoneHash })
    .from(users)
    .where(eq(users.id, userId))
  return identityHashes(secret, 'trial', user ?? { mailboxKey: null, phoneHash: null })
}

/** The supporter's tier, subscription and whether a trial is available. */
export async function getSubscriptionStatus(
  deps: Pick<Deps, 'db' | 'secret'>,
  { userId, tier }: Subscriber,
): Promise<SubscriptionStatus> {
  const d1 = deps.db.$client
  const [running, trial] = await d1.batch([
    d1.prepare(RUNNING_SUBSCRIPTION).bind(userId),
    d1.prepare(TRIAL_USED).bind(userId, await trialHashesOf(deps, userId)),
  ])
  const [row] = (running?.results ?? []) as (RunningSubscription & {
    trial_ends_at: Millis | null
    period_ends_at: Millis | null
  })[]
  const [trialRow] = (trial?.results ?? []) as { used: number }[]
  return {
    tier,
    subscription: row
      ? {
          tier: row.tier,
          status: row.status as NonNullable<SubscriptionStatus['subscription']>['status'],
          trialEndsAt: toIso(row.trial_ends_at),
          periodEndsAt: toIso(row.period_ends_at),
          cancels: row.cancels === 1,
        }
      : null,
    trialAvailable: !trialRow?.used,
  }
}

type SubscriptionDeps = Pick<Deps, 'db' | 'origin' | 'secret'> & { billing: Billing; at: Millis }

/**
 * Returns the URL of the provider's checkout page. If there is a subscription already, changes its tier, or resumes it
 * if it was canceled, and returns null. The webhook grants the tier.
 * @throws AppError `conflict`, e.g. for the current tier; `unavailable`.
 */
export async function createSubscriptionCheckout(
  { db, billing, origin, secret, at }: SubscriptionDeps,
  subscriber: Subscriber,
  tier: PaidTier,
): Promise<string | null> {
  const d1 = db.$client
  const { userId } = subscriber
  const running = await d1.prepare(RUNNING_SUBSCRIPTION).bind(subscriber.userId).first<RunningSubscription>()
  if (running && GRANTING_STATUSES.includes(running.status)) {
    if (running.tier === tier && !running.cancels)
      throw new AppError('conflict', `You are subscribed to ${tier === 'gold' ? 'Gold' : 'Silver'} already.`)
    await mapBillingErrors(billing.changeTier({ subscriptionId: running.id, tier }))
    return null
  }
  if (running && ['unpaid', 'paused'].includes(running.status))
    throw new AppError('conflict', 'Your subscription is paused. Please check your card on the billing page.')
  const customerId = (await findCustomerId(db, userId)) ?? (await createCustomer({ db, billing, secret }, subscriber))
  const page = await d1
    .prepare(NEXT_CHECKOUT)
    .bind(userId, at, at + TRIAL_HOLD_MS, await trialHashesOf({ db, secret }, userId))
    .first<{ sequence: number; trial: number }>()
  if (!page) throw new Error('The created customer was not found.')
  const subscriptions = await mapBillingErrors(billing.closeCheckouts(customerId))
  // The webhook of a very recent subscription may not have arrived yet.
  if (subscriptions.some(({ status }) => status !== 'ended' && status !== 'incomplete'))
    throw new AppError('conflict', 'You have just subscribed. Your tier opens within a minute.')
  const hasTrial = page.trial === 1 && subscriptions.every(({ trialEndsAt }) => trialEndsAt === null)
  const { sequence } = page
  const expiresAt = at + CHECKOUT_PAGE_TTL_MS
  const session = await mapBillingErrors(
    billing.openCheckout({ customerId, userId, tier, hasTrial, origin, sequence, expiresAt }),
  )
  // A concurrent later request may not have closed this page, because it did not exist yet.
  const [latest] = await db.select().from(billingCustomers).where(eq(billingCustomers.userId, userId))
  if (latest?.checkouts !== sequence) {
    await mapBillingErrors(billing.closeCheckout(session.id))
    throw new AppError('conflict', 'You have this page open twice. Please continue in the other one, or try again.')
  }
  if (session.url === null) throw new AppError('unavailable', 'The payment service did not answer. Please try again.')
  return session.url
}

/** URL of the provider's billing portal; null for users who never subscribed. @throws AppError `unavailable`. */
export async function openBillingPortal(
  { db, billing, origin }: Omit<SubscriptionDeps, 'at' | 'secret'>,
  { userId }: Subscriber,
): Promise<string | null> {
  const customerId = await findCustomerId(db, userId)
  return customerId === null ? null : mapBillingErrors(billing.openPortal({ customerId, origin }))
}

async function findCustomerId(db: Db, userId: number): Promise<string | null> {
  const [customer] = await db.select().from(billingCustomers).where(eq(billingCustomers.userId, userId))
  return customer && customer.customerId !== pendingId(userId) ? customer.customerId : null
}

/** Stands for the customer's id until the provider has returned it. */
const pendingId = (userId: number) => `pending:${userId}`
/** Finds a user's customer at the provider. Unlike a user id, it is unique among sites that share one account there. */
const customerReference = (secret: string, userId: number) => sign(secret, 'billing-customer', String(userId))

/** Stores a pending id first, so that an erasure also finds a customer whose id was lost with the response. */
async function createCustomer(
  { db, billing, secret }: Pick<SubscriptionDeps, 'db' | 'billing' | 'secret'>,
  { userId, email }: Subscriber,
): Promise<string> {
  const reference = await customerReference(secret, userId)
  const d1 = db.$client
  await d1
    .prepare(
      `INSERT INTO billing_customers (user_id, customer_id, forget_wanted_at)
       SELECT id, ?2, erased_at FROM users WHERE id = ?1 ON CONFLICT DO NOTHING`,
    )
    .bind(userId, pendingId(userId))
    .run()
  const customerId = await mapBillingErrors(billing.createCustomer({ userId, email, reference }))
  await d1
    .prepare('UPDATE billing_customers SET customer_id = ?2 WHERE user_id = ?1 AND customer_id = ?3')
    .bind(userId, customerId, pendingId(userId))
    .run()
  return (await findCustomerId(db, userId)) ?? customerId
}

const BATCH_SIZE = 25
/** The provider's search shows a new customer within minutes. */
const SEARCH_DELAY_MS: Millis = HOUR_MS

/**
 * Five-minute job: deletes erased users' customers at the provider, which ends their subscriptions, then our rows. A
 * failed call is retried later, after the others; a customer unknown to the provider counts as deleted.
 */
export async function deleteErasedCustomers(
  { db, secret, billing }: Pick<SubscriptionDeps, 'db' | 'secret' | 'billing'>,
  at: Millis,
): Promise<void> {
  const d1 = db.$client
  const { erasureRequestedAt, customerId: storedId } = billingCustomers
  const erased = await db
    .select()
    .from(billingCustomers)
    .where(
      and(
        isNotNull(erasureRequestedAt),
        or(sql`${storedId} NOT GLOB 'pending:*'`, lte(erasureRequestedAt, at - SEARCH_DELAY_MS)),
      ),
    )
    .orderBy(asc(erasureRequestedAt))
    .limit(BATCH_SIZE)
  for (const { userId, customerId } of erased) {
    const reference = await customerReference(secret, userId)
    const isDeleted = await deleteCustomers(billing, customerId === pendingId(userId) ? [] : [customerId], reference)
    await d1.batch(
      isDeleted
        ? [
            d1.prepare('DELETE FROM subscriptions WHERE user_id = ?1').bind(userId),
            d1
              .prepare('DELETE FROM billing_customers WHERE user_id = ?1 AND customer_id = ?2')
              .bind(userId, customerId),
          ]
        : [d1.prepare('UPDATE billing_customers SET forget_wanted_at = ?2 WHERE user_id = ?1').bind(userId, at)],
    )
  }
}

/** Deletes these customers and all with the reference. Returns false if a call failed and should be repeated. */
async function deleteCustomers(billing: Billing, ids: readonly string[], reference: string): Promise<boolean> {
  const deleteEach = async (customerIds: readonly string[]) => {
    for (const id of customerIds)
      await billing.deleteCustomer(id).catch((error) => {
        if (!(error instanceof ProviderRejected && error.message === 'resource_missing')) throw error
      })
  }
  try {
    await deleteEach(ids)
    const found = await billing.findCustomers(reference).catch((error) => {
      // A restricted API key cannot search. The known customer must still be deleted.
      if (!(error instanceof ProviderRejected)) throw error
      logError('find-customers', error)
      return []
    })
    // The search may still show those just deleted.
    await deleteEach(found)
    return true
  } catch (error) {
    logError('erase-customer', error as Error)
    return false
  }
}
