import { clsx } from 'clsx'
import type { TierCard } from '../../worker/contract/site'
import type { Subscription } from '../../worker/contract/subscriptions'
import { Button } from '../ui/Button'
import { subscriptionCopy } from './subscription-copy'
import { useBillingPortal } from './subscriptions.queries'

/** Where the supporter's subscription stands, and the way to its card and its end. */
export function SubscriptionPanel({ subscription, tier }: { subscription: Subscription; tier: TierCard }) {
  const portal = useBillingPortal()
  const { title, text, urgent } = subscriptionCopy(subscription, tier)
  return (
    <section
      aria-label="Your subscription"
      className={clsx('mt-8 border-l-4 bg-sleeve p-5', urgent ? 'border-sunset' : 'border-gold')}
    >
      <h2 className="text-xl font-bold">{title}</h2>
      <p className="mt-2 text-muted">{text}</p>
      <Button
        variant={urgent ? 'foil' : 'outline'}
        className="mt-5"
        aria-disabled={portal.isPending}
        onClick={() => !portal.isPending && portal.mutate()}
      >
        {portal.isPending ? 'Opening' : urgent ? 'Check your card' : 'Manage or cancel'}
      </Button>
    </section>
  )
}
