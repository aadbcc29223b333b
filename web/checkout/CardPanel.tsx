import { lazy, Suspense } from 'react'
import type { SiteConfig } from '../../worker/contract/site'
import { CheckoutError, Spinner } from './CheckoutMessages'

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

/**
 * What a provider's card form hands to the checkout. There are two: Stripe's Payment Element, and the demo's own
 * test cards. The checkout knows neither.
 */
export type Card = {
  /** Whether the card can be tried; what is wrong with it is shown in its own form. */
  check: () => Promise<boolean>
  /** Charges it, through any second step. Resolves to null when the provider took it, else to the provider's sentence. */
  charge: () => Promise<string | null>
}

export type CardFormProps = {
  orderId: string
  clientSecret: string
  amountCents: number
  /** The buyer's address at this moment: the provider's own receipt goes there. */
  email: () => string
  /** Hands over the card once its form can be used, and null when it no longer can. */
  onReady: (card: Card | null) => void
}
