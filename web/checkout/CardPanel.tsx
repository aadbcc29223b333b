import { lazy, Suspense } from 'react'
import type { SiteConfig } from '../../worker/contract/site'
import type { CardFormProps } from './card'
import { Trouble } from './Trouble'
import { Waiting } from './Waiting'

const StripeCard = lazy(() => import('./StripeCard').then((m) => ({ default: m.StripeCard })))
const TestCard = lazy(() => import('./TestCard').then((m) => ({ default: m.TestCard })))

/** The card form of whoever takes the payments of this deployment, fetched when it is needed. */
export function CardPanel({ site, ...card }: CardFormProps & { site: SiteConfig }) {
  const { payments, stripePublishableKey: publishableKey } = site
  if (payments === 'off' || (payments === 'stripe' && !publishableKey))
    return (
      <Trouble title="Card payment is not set up on this site yet" text="Please come back later. Nothing is charged." />
    )
  return (
    <Suspense fallback={<Waiting>Fetching the card form</Waiting>}>
      {payments === 'test' || !publishableKey ? (
        <TestCard {...card} />
      ) : (
        <StripeCard publishableKey={publishableKey} {...card} />
      )}
    </Suspense>
  )
}
