import { lazy, Suspense } from 'react'
import type { SiteConfig } from '../../worker/contract/site'
import { CheckoutError, Spinner } from './CheckoutMessages'

const StripeCard = lazy(() => import('./StripeCard').then((m) => ({ default: m.StripeCard })))
const TestCard = lazy(() => import('./TestCard').then((m) => ({ default: m.TestCard })))

/** The card form of the configured payment provider, loaded lazily. */
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
    <Suspense fallback={<Spinner>Loading the card form</Spinner>}>
      {payments === 'test' || !publishableKey ? (
        <TestCard {...card} />
      ) : (
        <StripeCard publishableKey={publishableKey} {...card} />
      )}
    </Suspense>
  )
}

/** Validates and charges the card of a provider's form, or a wallet. */
export type CardHandle = {
  /** Resolves to whether the card is valid. The provider's form shows errors. */
  check: () => Promise<boolean>
  /** Charges the card, including any second step. Resolves to null on success, else to the provider's message. */
  charge: () => Promise<string | null>
}

export type CardFormProps = {
  orderId: string
  clientSecret: string
  amountCents: number
  /** The buyer's current email address, for the provider's receipt. */
  getEmail: () => string
  /** Validates the checkout form and shows its errors: a wallet opens only if the form is complete. */
  validateForm: () => boolean
  /** Called after the buyer has approved the payment in a wallet. */
  onWallet: (wallet: CardHandle) => void
  /** Called with the card when its form is ready, and with null when it is removed. */
  onReady: (card: CardHandle | null) => void
}
