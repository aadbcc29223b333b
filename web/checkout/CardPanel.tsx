import { lazy, Suspense } from 'react'
import type { SiteConfig } from '../../worker/contract/site'
import { CheckoutError } from './CheckoutError'
import type { CardFormProps } from './card-form'
import { Spinner } from './Spinner'

const StripeCard = lazy(() => import('./StripeCard').then((m) => ({ default: m.StripeCard })))
const TestCard = lazy(() => import('./TestCard').then((m) => ({ default: m.TestCard })))

/** The card form of whoever takes the payments of this deployment, fetched when it is needed. */
export function CardPanel({ site, ...card }: CardFormProps & { site: SiteConfig }) {
  const { payments, stripePublishableKey: publishableKey } = site
  if (payments === 'off' || (payments === 'stripe' && !publishableKey))
    return (
      <CheckoutError
        title="Card payment is not set up on this site yet"
        text="Please come back later. Nothing is charged."
      />
    )
  return (
    <Suspense fallback={<Spinner>Fetching the card form</Spinner>}>
      {payments === 'test' || !publishableKey ? (
        <TestCard {...card} />
      ) : (
        <StripeCard publishableKey={publishableKey} {...card} />
      )}
    </Suspense>
  )
}
