import { and, eq, isNull } from 'drizzle-orm'
import type { PaidTier } from '../contract/subscriptions'
import type { Db } from '../db/client'
import { enqueueEmail } from '../email/outbox'
import type { Millis } from '../lib/clock'
import type { Billing, ProviderSubscription } from '../payments/billing'
import type { SubscriptionResult } from '../payments/payments'
import { mapBillingErrors } from '../payments/provider'
import { site, tiers } from '../site/site.table'
import { usernameForEmail } from '../users/username'
import { users } from '../users/users.table'
import { membershipCanceledEmail, trialEndingEmail } from './emails'

type EventDeps = { db: Db; billing: Billing; origin: string }
type Member = { userId: number; tier: PaidTier }

/**
 * Reads the event's subscription from the provider, saves it and emails its user.
 * @throws AppError `unavailable` if the provider does not respond, so that it sends the event again.
 */
export async function onSubscriptionEvent(
  { db, billing, origin }: EventDeps,
  { subscriptionId, type }: { subscriptionId: string; type: string },
  at: Millis,
): Promise<SubscriptionResult> {
  const subscription = await mapBillingErrors(billing.readSubscription(subscriptionId))
  return saveSubscription(db, subscription, at, (member) =>
    memberEmails(db, { subscription, type, origin, at }, member),
  )
}

/** Statuses that grant the tier, also `past_due`, because the provider retries a failed payment for a while. */
export const GRANTING_STATUSES: readonly string[] = ['trialing', 'active', 'past_due']
/** `GRANTING_STATUSES` as an SQL list. */
export const GRANTING_STATUSES_SQL = `('${GRANTING_STATUSES.join("', '")}')`

/** Sets the tier of user ?1 to the highest that a subscription grants. Nothing else writes `users.tier`. */
const UPDATE_TIER = `UPDATE users SET tier = coalesce((SELECT tier FROM subscriptions WHERE user_id = ?1 AND status IN ${GRANTING_STATUSES_SQL}
  ORDER BY tier = 'gold' DESC LIMIT 1), 'bronze') WHERE id = ?1`

/**
 * Saves a subscription and the user's resulting tier in one batch. Calls may come in any order: a subscription with an
 * older `asOf` never overwrites a newer one.
 * @param asOf when the request to the provider that returned the subscription began.
 * @param emailsFor returns statements that send emails, for the same batch.
 */
export async function saveSubscription(
  db: Db,
  subscription: ProviderSubscription,
  asOf: Millis,
  emailsFor: (member: Member) => Promise<D1PreparedStatement[]> = async () => [],
): Promise<SubscriptionResult> {
  const d1 = db.$client
  const { id, customerId, tier, status, trialEndsAt, periodEndsAt, cancels } = subscription
  const user = await d1
    .prepare(
      `SELECT id, erased_at IS NOT NULL AS erased FROM users
       WHERE id = coalesce((SELECT user_id FROM billing_customers WHERE customer_id = ?1), ?2)`,
    )
    .bind(customerId, subscription.userId)
    .first<{ id: number; erased: number }>()
  if (!user) return 'not_ours'
  // Of an erased user only a running subscription is saved, so that a job ends it at the provider.
  if (user.erased && status === 'ended') return 'saved'
  // A subscription with an old price keeps the tier it was sold as.
  const soldTier =
    tier ?? (await d1.prepare('SELECT tier FROM subscriptions WHERE id = ?1').bind(id).first<PaidTier>('tier'))
  if (soldTier === null) return 'unknown_price'
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO billing_customers (user_id, customer_id, trial_used_at, forget_wanted_at)
         SELECT id, ?2, iif(?3 IS NULL, NULL, ?4), erased_at FROM users WHERE id = ?1
         ON CONFLICT (user_id) DO UPDATE SET trial_used_at = coalesce(trial_used_at, excluded.trial_used_at),
           customer_id = iif(customer_id GLOB 'pending:*', excluded.customer_id, customer_id)`,
      )
      .bind(user.id, customerId, trialEndsAt, asOf),
    d1
      .prepare(
        `INSERT INTO subscriptions (id, user_id, tier, status, trial_ends_at, period_ends_at, cancels, as_of)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (id) DO UPDATE SET tier = excluded.tier, status = excluded.status, cancels = excluded.cancels,
           trial_ends_at = excluded.trial_ends_at, period_ends_at = excluded.period_ends_at, as_of = excluded.as_of
         WHERE excluded.as_of >= subscriptions.as_of`,
      )
      .bind(id, user.id, soldTier, status, trialEndsAt, periodEndsAt, cancels ? 1 : 0, asOf),
    d1.prepare(UPDATE_TIER).bind(user.id),
    ...(await emailsFor({ userId: user.id, tier: soldTier })),
  ])
  return 'saved'
}

type EmailsInput = { subscription: ProviderSubscription; type: string; origin: string; at: Millis }

/** Statements that email the member about a trial that ends soon or a cancellation; each email is sent once. */
async function memberEmails(
  db: Db,
  { subscription, type, origin, at }: EmailsInput,
  { userId, tier }: Member,
): Promise<D1PreparedStatement[]> {
  const { id, trialEndsAt, periodEndsAt, cancels, status } = subscription
  const trialEndsSoon = type === 'customer.subscription.trial_will_end' && trialEndsAt !== null && !cancels
  const isCanceled = cancels && periodEndsAt !== null && status !== 'ended'
  if (!trialEndsSoon && !isCanceled) return []
  const [member] = await db
    .select({
      to: users.email,
      username: usernameForEmail,
      tierName: tiers.name,
      listPriceCents: tiers.priceCents,
      siteName: site.name,
      currency: site.currency,
      timeZone: site.timeZone,
    })
    .from(users)
    .innerJoin(tiers, eq(tiers.id, tier))
    .crossJoin(site)
    .where(and(eq(users.id, userId), isNull(users.erasedAt)))
  if (!member?.to) return []
  const { to, timeZone, listPriceCents, currency, ...details } = member
  // A subscription keeps its price when the list price changes.
  const priceCents = subscription.priceCents ?? listPriceCents
  const emails: D1PreparedStatement[] = []
  if (trialEndsSoon) {
    const message = trialEndingEmail({ ...details, origin, priceCents, currency, endsAt: trialEndsAt, timeZone })
    emails.push(enqueueEmail(db, { to, email: message, dedupeKey: `trial_ending:${id}:${trialEndsAt}`, at }))
  }
  if (isCanceled) {
    const message = membershipCanceledEmail({ ...details, origin, until: periodEndsAt, timeZone })
    emails.push(enqueueEmail(db, { to, email: message, dedupeKey: `membership_cancelled:${id}:${periodEndsAt}`, at }))
  }
  return emails
}
