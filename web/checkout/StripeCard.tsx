import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useMemo, useState } from 'react'
import { CheckoutError } from './CheckoutError'
import { type CardFormProps, returnUrl } from './card-form'
import { Spinner } from './Spinner'
import { stripeAppearance } from './stripe-appearance'

const BLOCKED = {
  title: 'The card form did not load',
  text: 'It comes from Stripe, who take the payment. A content blocker or your connection may be in its way: allow js.stripe.com and try again. Nothing has been charged.',
}

/** How long the script, and then the form, may take before the buyer is told that something is in the way. */
const LOAD_TIMEOUT_MS = 20_000

/** Stripe's own card form. Its script is fetched from Stripe when the payment is there, and never before. */
export function StripeCard({
  publishableKey,
  patienceMs = LOAD_TIMEOUT_MS,
  ...card
}: CardFormProps & { publishableKey: string; patienceMs?: number }) {
  const [stripe, setStripe] = useState<Stripe | 'loading' | 'blocked'>('loading')
  const [attempt, setAttempt] = useState(1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt fetches the script again.
  useEffect(() => {
    let isUnmounted = false
    setStripe('loading')
    loadStripe(publishableKey).then(
      (loaded) => isUnmounted || setStripe(loaded ?? 'blocked'),
      () => isUnmounted || setStripe('blocked'),
    )
    const tooLong = setTimeout(() => {
      failPendingScript()
      setStripe((now) => (now === 'loading' ? 'blocked' : now))
    }, patienceMs)
    return () => {
      isUnmounted = true
      clearTimeout(tooLong)
    }
  }, [publishableKey, attempt, patienceMs])

  const options = useMemo(
    () => ({ clientSecret: card.clientSecret, appearance: stripeAppearance() }),
    [card.clientSecret],
  )
  if (stripe === 'loading') return <Spinner>Fetching the card form</Spinner>
  if (stripe === 'blocked') return <CheckoutError {...BLOCKED} onRetry={() => setAttempt(attempt + 1)} />
  return (
    <Elements key={card.clientSecret} stripe={stripe} options={options}>
      <Fields {...card} patienceMs={patienceMs} onBroken={() => setStripe('blocked')} />
    </Elements>
  )
}

/**
 * A script that neither comes nor fails fails now. The loader keeps one promise for the page and begins a new one only
 * after an error, so the error is told to the script itself; what has come is not disturbed.
 */
function failPendingScript() {
  if (!window.Stripe) document.querySelector('script[src^="https://js.stripe.com/"]')?.dispatchEvent(new Event('error'))
}

type FieldsProps = CardFormProps & { patienceMs: number; onBroken: () => void }

function Fields({ orderId, amountCents, email, onReady, patienceMs, onBroken }: FieldsProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [isReady, setReady] = useState(false)

  // The amount is the server's; the form is told that it has changed, and keeps what was typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the amount that matters.
  useEffect(() => {
    if (isReady) void elements?.fetchUpdates()
  }, [amountCents])

  // The form itself comes from Stripe as well, in a frame of its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one wait for each form.
  useEffect(() => {
    if (isReady) return
    const tooLong = setTimeout(onBroken, patienceMs)
    return () => clearTimeout(tooLong)
  }, [isReady, patienceMs])

  useEffect(() => {
    if (!stripe || !elements || !isReady) return
    onReady({
      check: async () => !(await elements.submit()).error,
      charge: async () => {
        const { error } = await stripe.confirmPayment({
          elements,
          redirect: 'if_required',
          confirmParams: {
            return_url: returnUrl(location.origin, orderId),
            payment_method_data: { billing_details: { email: email() } },
          },
        })
        // An answer that was lost on the way: the payment had gone through before, and is not a failure.
        const status = error?.payment_intent?.status
        if (!error || status === 'succeeded' || status === 'processing') return null
        return error.message ?? 'The card was not accepted.'
      },
    })
    return () => onReady(null)
  }, [stripe, elements, isReady, orderId, email, onReady])

  return (
    <>
      {!isReady && <Spinner>Fetching the card form</Spinner>}
      <PaymentElement
        options={{ layout: 'tabs', fields: { billingDetails: { email: 'never' } } }}
        onReady={() => setReady(true)}
        onLoadError={onBroken}
      />
    </>
  )
}
