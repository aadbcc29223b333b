import { formatDayInZone } from '../contract/zoned-time'
import type { Email } from '../email/outbox'
import { greeting, renderEmail } from '../email/render-email'
import type { Millis } from '../lib/clock'
import { formatPrice } from '../lib/price'

/** `username` is null while the address is unconfirmed. */
type Membership = { siteName: string; origin: string; username: string | null; tierName: string }

export function trialEndingEmail({
  siteName,
  origin,
  username,
  tierName,
  priceCents,
  currency,
  endsAt,
  timeZone,
}: Membership & { priceCents: number; currency: string; endsAt: Millis; timeZone: string }): Email {
  const day = formatDayInZone(endsAt, timeZone)
  return renderEmail({
    kind: 'trial_ending',
    subject: `Your free trial of ${tierName} ends on ${day}`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `Your free trial of ${tierName} ends on ${day}. To stay, you do not need to do anything. To leave, cancel before then and you will not be charged.`,
    ],
    details: [
      { label: 'Tier', value: tierName },
      { label: 'First payment', value: day },
      { label: 'Price per month', value: formatPrice(priceCents, currency), strong: true },
    ],
    action: { label: 'Manage my membership', url: `${origin}/subscribe` },
  })
}

export function membershipCanceledEmail({
  siteName,
  origin,
  username,
  tierName,
  until,
  timeZone,
}: Membership & { until: Millis; timeZone: string }): Email {
  return renderEmail({
    kind: 'membership_cancelled',
    subject: `Your ${tierName} membership is canceled`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `Your ${tierName} membership is canceled, and you will not be charged again. It stays active until ${formatDayInZone(until, timeZone)}.`,
      'You keep your points and your votes, and you can come back any time.',
    ],
    action: { label: 'See the tiers', url: `${origin}/subscribe` },
  })
}
