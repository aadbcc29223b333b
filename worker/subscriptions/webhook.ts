import type { PaidTier } from '../contract/subscriptions'
import type { Db } from '../db/client'
import { enqueueEmail } from '../email/outbox'
import type { Millis } from '../lib/clock'
import { mapProviderErrors } from '../orders/intents'
import type { Billing } from './billing'
import { membershipCancelledEmail, trialEndingEmail } from './emails'
import { type ProviderSubscription, saveSubscription } from './save-subscription'

type Deps = { db: Db; billing: Billing; origin: string | null }

/**
 * Reads a subscription from the provider, whatever its event said of it, writes down how it stands, and tells its owner
 * what they should know. False where it is nobody's here.
 * @throws AppError `unavailable` where the provider does not answer: it sends the event again.
 */
export async function handleSubscriptionEvent(
  { db, billing, origin }: Deps,
  { subscriptionId, type }: { subscriptionId: string; type: string },
  now: Millis,
): Promise<boolean> {
  const subscription = await mapProviderErrors(billing.readSubscription(subscriptionId))
  const saved = await saveSubscription(db, subscription, now, async (member) =>
    origin === null ? [] : memberEmails(db, { subscription, type, origin, ...member, now }),
  )
  return saved !== null
}

type MemberEmailsInput = {
  subscription: ProviderSubscription
  type: string
  origin: string
  userId: number
  tier: PaidTier
  now: Millis
}
type MemberRow = {
  email: string | null
  username: string
  tierName: string
  priceCents: number
  siteName: string
  zone: string
}

/** Each mail is written once: a trial that ends soon, a subscription that was cancelled until a certain day. */
async function memberEmails(
  db: Db,
  { subscription, type, origin, userId, tier, now }: MemberEmailsInput,
): Promise<D1PreparedStatement[]> {
  const { id, trialEndsAt, periodEndsAt, cancels, status } = subscription
  const endsSoon = type === 'customer.subscription.trial_will_end' && trialEndsAt !== null && !cancels
  const isCancelled = cancels && periodEndsAt !== null && status !== 'ended'
  if (!endsSoon && !isCancelled) return []
  const d1 = db.$client
  const member = await d1
    .prepare(
      `SELECT users.email, users.username, tiers.name AS tierName, tiers.price_cents AS priceCents,
         site.name AS siteName, site.time_zone AS zone
       FROM users JOIN tiers ON tiers.id = ?2 JOIN site WHERE users.id = ?1 AND users.erased_at IS NULL`,
    )
    .bind(userId, tier)
    .first<MemberRow>()
  if (!member?.email) return []
  const { email: to, zone: timeZone, priceCents: listPriceCents, ...details } = member
  // Who joined before a price was raised still pays the one that they joined at.
  const priceCents = subscription.priceCents ?? listPriceCents
  const emails: D1PreparedStatement[] = []
  if (endsSoon) {
    const message = trialEndingEmail({ ...details, origin, priceCents, endsAt: trialEndsAt, timeZone })
    emails.push(enqueueEmail(d1, { to, email: message, dedupeKey: `trial_ending:${id}:${trialEndsAt}`, at: now }))
  }
  if (isCancelled) {
    const message = membershipCancelledEmail({ ...details, origin, until: periodEndsAt, timeZone })
    emails.push(
      enqueueEmail(d1, { to, email: message, dedupeKey: `membership_cancelled:${id}:${periodEndsAt}`, at: now }),
    )
  }
  return emails
}
