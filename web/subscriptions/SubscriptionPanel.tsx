import { clsx } from 'clsx'
import type { TierCard } from '../../worker/contract/site'
import type { Subscription } from '../../worker/contract/subscriptions'
import { formatLongDate, formatShortPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { useBillingPortal } from './subscriptions.queries'

/** The state of the supporter's subscription, with a button that opens the provider's page. */
export function SubscriptionPanel({ subscription, tier }: { subscription: Subscription; tier: TierCard }) {
  const portal = useBillingPortal()
  const { title, text, isUrgent } = describeSubscription(subscription, tier)
  const actionLabel = isUrgent ? 'Check your card' : 'Manage or cancel'
  return (
    <section
      aria-label="Your subscription"
      className={clsx('mt-8 border-l-4 bg-sleeve p-5', isUrgent ? 'border-sunset' : 'border-gold')}
    >
      <h2 className="text-xl font-bold">{title}</h2>
      <p className="mt-2 text-muted">{text}</p>
      <Button
        variant={isUrgent ? 'primary' : 'outline'}
        className="mt-5"
        aria-disabled={portal.isPending}
        onClick={() => !portal.isPending && portal.mutate()}
      >
        {portal.isPending ? 'Opening' : actionLabel}
      </Button>
    </section>
  )
}

/** The day with its preposition. The provider may not have reported it yet. */
const untilDay = (timestamp: string | null) => (timestamp ? `until ${formatLongDate(timestamp)}` : 'for now')
const onDay = (timestamp: string | null) => (timestamp ? `on ${formatLongDate(timestamp)}` : 'soon')

type TierInfo = { name: string; priceCents: number }

/** `isUrgent` if the supporter has to act. */
function describeSubscription(
  { status, cancels, trialEndsAt, periodEndsAt }: Subscription,
  { name, priceCents }: TierInfo,
): { title: string; text: string; isUrgent: boolean } {
  const monthly = `${formatShortPrice(priceCents)} a month`
  if (cancels && (status === 'trialing' || status === 'active' || status === 'past_due'))
    return {
      title: 'Canceled',
      text: `${name} is yours ${untilDay(periodEndsAt)}. Nothing more is charged.`,
      isUrgent: false,
    }
  switch (status) {
    case 'trialing':
      return {
        title: 'Free trial',
        text: `Free ${untilDay(trialEndsAt)}, then ${monthly}. Cancel anytime.`,
        isUrgent: false,
      }
    case 'active':
      return {
        title: `${name} supporter`,
        text: `Renews ${onDay(periodEndsAt)} at ${monthly}.`,
        isUrgent: false,
      }
    case 'past_due':
      return {
        title: 'Payment failed',
        text: `Your card was declined, and we will try it again. You keep ${name} for now; update your card to keep it.`,
        isUrgent: true,
      }
    case 'unpaid':
      return {
        title: 'Payment failed',
        text: `Your card was declined too many times, and ${name} is paused. Pay to resume it.`,
        isUrgent: true,
      }
    case 'incomplete':
      return {
        title: 'Not finished',
        text: 'Your first payment is not complete yet. Finish it with your card.',
        isUrgent: true,
      }
    case 'paused':
      return { title: 'Paused', text: `${name} is paused, and nothing is charged.`, isUrgent: false }
    case 'ended':
      return { title: 'Ended', text: `Your ${name} subscription has ended.`, isUrgent: false }
  }
}
