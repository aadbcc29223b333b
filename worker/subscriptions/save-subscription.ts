import type { PaidTier, Subscription } from '../contract/subscriptions'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'

/** A subscription as it was just read from the provider. */
export type ProviderSubscription = {
  id: string
  customerId: string
  /** What its metadata says; 0 where it says nothing. */
  userId: number
  tier: PaidTier | null
  /** What it costs a month, whatever the tier costs others now; null where the provider does not say. */
  priceCents: number | null
  status: Subscription['status']
  trialEndsAt: Millis | null
  periodEndsAt: Millis | null
  cancels: boolean
}

/** States in which the tier is had; a failed payment is tried again for a while before it is lost. */
export const GRANTING_STATUSES = `('trialing', 'active', 'past_due')`

/** ?1 person: the highest tier of the subscriptions that grant one. Nothing else in the worker writes a tier. */
const UPDATE_TIER = `UPDATE users SET tier = coalesce((SELECT tier FROM subscriptions WHERE user_id = ?1 AND status IN ${GRANTING_STATUSES}
  ORDER BY tier = 'gold' DESC LIMIT 1), 'bronze') WHERE id = ?1`

/**
 * Writes down how a subscription stands and what tier comes of it, in one batch. What was read earlier never overwrites
 * what was read later, so events may come in any order and any number. False where it is nobody's here.
 * @param asOf when the reading began.
 * @param emailsFor what its owner is to be told, written in the same batch.
 */
export async function saveSubscription(
  db: Db,
  subscription: ProviderSubscription,
  asOf: Millis,
  emailsFor: (member: { userId: number; tier: PaidTier }) => Promise<D1PreparedStatement[]> = async () => [],
): Promise<{ userId: number } | null> {
  const d1 = db.$client
  const { id, customerId, tier, status, trialEndsAt, periodEndsAt, cancels } = subscription
  const user = await d1
    .prepare(
      `SELECT id, erased_at IS NOT NULL AS erased FROM users
       WHERE id = coalesce((SELECT user_id FROM billing_customers WHERE customer_id = ?1), ?2)`,
    )
    .bind(customerId, subscription.userId)
    .first<{ id: number; erased: number }>()
  if (!user) return null
  // The end of what was forgotten; while it runs it is written down, so that it is ended.
  if (user.erased && status === 'ended') return { userId: user.id }
  // A price that is none of ours any more (it was raised, say) still ends, fails and renews under the tier it was sold as.
  const soldTier = tier ?? (await storedTier(d1, id))
  if (soldTier === null) return null
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO billing_customers (user_id, customer_id, trial_used_at, forget_wanted_at)
         SELECT id, ?2, iif(?3 IS NULL, NULL, ?4), erased_at FROM users WHERE id = ?1
         ON CONFLICT (user_id) DO UPDATE SET trial_used_at = coalesce(trial_used_at, excluded.trial_used_at)`,
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
  return { userId: user.id }
}

async function storedTier(d1: D1Database, id: string): Promise<ProviderSubscription['tier']> {
  const row = await d1
    .prepare('SELECT tier FROM subscriptions WHERE id = ?1')
    .bind(id)
    .first<{ tier: ProviderSubscription['tier'] }>()
  return row?.tier ?? null
}
