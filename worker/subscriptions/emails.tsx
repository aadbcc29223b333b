import type { Email } from '../email/outbox'
import { greeting, renderEmail } from '../email/render-email'

type Membership = { siteName: string; origin: string; username: string | null; tierName: string }

export function trialEndingEmail({
  siteName,
  origin,
  username,
  tierName,
  priceCents,
  endsAt,
  timeZone,
}: Membership & { priceCents: number; endsAt: number; timeZone: string }): Email {
  const day = formatDate(endsAt, timeZone)
  return renderEmail({
    kind: 'trial_ending',
    subject: `Your free trial of ${tierName} ends on ${day}`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `Your free trial of ${tierName} ends on ${day}. If you stay, nothing is to be done; if not, cancel before then and nothing is charged.`,
    ],
    facts: [
      { label: 'Tier', value: tierName },
      { label: 'First payment', value: day },
      { label: 'A month', value: `$${(priceCents / 100).toFixed(2)}`, strong: true },
    ],
    action: { label: 'Manage my membership', url: `${origin}/subscribe` },
  })
}

export function membershipCancelledEmail({
  siteName,
  origin,
  username,
  tierName,
  until,
  timeZone,
}: Membership & { until: number; timeZone: string }): Email {
  return renderEmail({
    kind: 'membership_cancelled',
    subject: `Your ${tierName} membership is cancelled`,
    from: siteName,
    paragraphs: [
      ...greeting(username),
      `Your ${tierName} membership is cancelled and nothing more is charged. You keep it until ${formatDate(until, timeZone)}.`,
      'Your points and your votes stay yours. You can come back whenever you like.',
    ],
    action: { label: 'See the tiers', url: `${origin}/subscribe` },
  })
}

const formatDate = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(at)
