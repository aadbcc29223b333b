import type { PaidTier } from '../contract/subscriptions'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { posted } from '../mail/outbox'
import { asked } from '../orders/provider-calls'
import { cancelledLetter, trialEndingLetter } from '../tiers/letters'
import type { Billing } from './billing'
import { type Reading, takeInReading } from './take-in'

type Hands = { db: Db; billing: Billing; origin: string | null }

/**
 * Reads a subscription from the provider, whatever its event said of it, writes down how it stands, and tells its owner
 * what they should know. False where it is nobody's here.
 * @throws Refused `unavailable` where the provider does not answer: it sends the event again.
 */
export async function takeInSubscription(
  { db, billing, origin }: Hands,
  { subscriptionId, type }: { subscriptionId: string; type: string },
  now: Millis,
): Promise<boolean> {
  const reading = await asked(billing.read(subscriptionId))
  const taken = await takeInReading(db, reading, now, async (member) =>
    origin === null ? [] : memberMails(db, { reading, type, origin, ...member, now }),
  )
  return taken !== null
}

type Telling = { reading: Reading; type: string; origin: string; userId: number; tier: PaidTier; now: Millis }
type Row = {
  email: string | null
  username: string
  tierName: string
  priceCents: number
  siteName: string
  zone: string
}

/** Each mail is written once: a trial that ends soon, a subscription that was cancelled until a certain day. */
async function memberMails(
  db: Db,
  { reading, type, origin, userId, tier, now }: Telling,
): Promise<D1PreparedStatement[]> {
  const { id, trialEndsAt, periodEndsAt, cancels, status } = reading
  const endsSoon = type === 'customer.subscription.trial_will_end' && trialEndsAt !== null && !cancels
  const leaves = cancels && periodEndsAt !== null && status !== 'ended'
  if (!endsSoon && !leaves) return []
  const d1 = db.$client
  const member = await d1
    .prepare(
      `SELECT users.email, users.username, tiers.name AS tierName, tiers.price_cents AS priceCents,
         site.name AS siteName, site.time_zone AS zone
       FROM users JOIN tiers ON tiers.id = ?2 JOIN site WHERE users.id = ?1 AND users.erased_at IS NULL`,
    )
    .bind(userId, tier)
    .first<Row>()
  if (!member?.email) return []
  const { email: to, zone: timeZone, priceCents: listed, ...about } = member
  // Who joined before a price was raised still pays the one that they joined at.
  const priceCents = reading.priceCents ?? listed
  const mails: D1PreparedStatement[] = []
  if (endsSoon) {
    const letter = trialEndingLetter({ ...about, origin, priceCents, endsAt: trialEndsAt, timeZone })
    mails.push(posted(d1, { to, letter, dedupeKey: `trial_ending:${id}:${trialEndsAt}`, at: now }))
  }
  if (leaves) {
    const letter = cancelledLetter({ ...about, origin, until: periodEndsAt, timeZone })
    mails.push(posted(d1, { to, letter, dedupeKey: `membership_cancelled:${id}:${periodEndsAt}`, at: now }))
  }
  return mails
}
