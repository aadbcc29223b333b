import { Elements, ExpressCheckoutElement, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Appearance, Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { CardFormProps } from './CardPanel'
import { CheckoutError, Spinner } from './CheckoutMessages'

const SCRIPT_BLOCKED = {
  title: 'The card form did not load',
  text: 'It comes from Stripe, our payment provider. A content blocker or your connection may be blocking it: allow js.stripe.com and try again. Nothing has been charged.',
}

/** Applies to loading the script and, from then on, to loading its form. */
const LOAD_TIMEOUT_MS = 20_000

/** Stripe's Payment Element. Its script is fetched only when a payment has been prepared. */
export function StripeCard({
  publishableKey,
  timeoutMs = LOAD_TIMEOUT_MS,
  ...card
}: CardFormProps & { publishableKey: string; timeoutMs?: number }) {
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
    const timer = setTimeout(() => {
      failPendingScript()
      setStripe((current) => (current === 'loading' ? 'blocked' : current))
    }, timeoutMs)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
    }
  }, [publishableKey, attempt, timeoutMs])

  const options = useMemo(
    () => ({ clientSecret: card.clientSecret, appearance: stripeAppearance() }),
    [card.clientSecret],
  )
  if (stripe === 'loading') return <Spinner>Loading the card form</Spinner>
  if (stripe === 'blocked') return <CheckoutError {...SCRIPT_BLOCKED} onRetry={() => setAttempt(attempt + 1)} />
  return (
    <Elements key={card.clientSecret} stripe={stripe} options={options}>
      <CardFields {...card} timeoutMs={timeoutMs} onLoadFailed={() => setStripe('blocked')} />
    </Elements>
  )
}

/** Fails a script that is still loading, because the Stripe loader retries only after an error event. */
function failPendingScript() {
  if (!window.Stripe) document.querySelector('script[src^="https://js.stripe.com/"]')?.dispatchEvent(new Event('error'))
}

type CardFieldsProps = CardFormProps & { timeoutMs: number; onLoadFailed: () => void }

function CardFields({
  orderId,
  amountCents,
  getEmail,
  onReady,
  timeoutMs,
  onLoadFailed,
  validateForm,
  onWallet,
}: CardFieldsProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [isReady, setIsReady] = useState(false)
  const [hasWallets, setHasWallets] = useState(false)

  // `fetchUpdates` loads the new amount and preserves the input.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the amount changes.
  useEffect(() => {
    if (isReady) void elements?.fetchUpdates()
  }, [amountCents])

  // The form is loaded from Stripe too, in an iframe.
  // biome-ignore lint/correctness/useExhaustiveDependencies: one timeout for each form.
  useEffect(() => {
    if (isReady) return
    const timer = setTimeout(onLoadFailed, timeoutMs)
    return () => clearTimeout(timer)
  }, [isReady, timeoutMs])

  const charge = useCallback(async () => {
    if (!stripe || !elements) return 'The card form is still loading. Please try again.'
    const { error } = await stripe.confirmPayment({
      elements,
      redirect: 'if_required',
      confirmParams: {
        return_url: returnUrl(location.origin, orderId),
        payment_method_data: { billing_details: { email: getEmail() } },
      },
    })
    // After a lost response, the error can contain a payment that has succeeded.
    const status = error?.payment_intent?.status
    if (!error || status === 'succeeded' || status === 'processing') return null
    return error.message ?? 'The card was not accepted.'
  }, [stripe, elements, orderId, getEmail])

  useEffect(() => {
    if (!stripe || !elements || !isReady) return
    onReady({ check: async () => !(await elements.submit()).error, charge })
    return () => onReady(null)
  }, [stripe, elements, isReady, charge, onReady])

  return (
    <>
      {!isReady && <Spinner>Loading the card form</Spinner>}
      {/* Stripe decides which wallets are available, often none. */}
      <div hidden={!hasWallets} className="mb-6 grid gap-6">
        <ExpressCheckoutElement
          options={{ buttonHeight: 48, emailRequired: false }}
          onReady={({ availablePaymentMethods }) => setHasWallets(Boolean(availablePaymentMethods))}
          onClick={(event) => {
            // The wallet's sheet opens only after `resolve`.
            if (validateForm()) event.resolve()
          }}
          onConfirm={(event) => {
            onWallet({
              check: async () => true,
              charge: async () => {
                const message = await charge()
                if (message !== null) event.paymentFailed({ reason: 'fail' })
                return message
              },
            })
          }}
        />
        <p className="flex items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-rule after:h-px after:grow after:bg-rule">
          or pay by card
        </p>
      </div>
      <PaymentElement
        options={{ layout: 'tabs', fields: { billingDetails: { email: 'never' } } }}
        onReady={() => setIsReady(true)}
        onLoadError={onLoadFailed}
      />
    </>
  )
}

function returnUrl(origin: string, orderId: string): string {
  return `${origin}/?purchase=success&order=${encodeURIComponent(orderId)}`
}

const COLOR_TOKENS = ['gold', 'background', 'sleeve', 'ivory', 'muted', 'sunset', 'rule-strong'] as const

/**
 * Design tokens for Stripe's Appearance API. Its iframes do not support CSS variables or OKLCH, so each color is
 * painted on a canvas and read back as sRGB.
 */
function stripeAppearance(): Appearance {
  const style = getComputedStyle(document.documentElement)
  const [gold, background, sleeve, ivory, muted, sunset, rule] = COLOR_TOKENS.map((name) =>
    toHex(style.getPropertyValue(`--color-${name}`)),
  )
  return {
    theme: 'night',
    labels: 'above',
    variables: {
      colorPrimary: gold,
      colorBackground: sleeve,
      colorText: ivory,
      colorTextSecondary: muted,
      colorTextPlaceholder: muted,
      colorDanger: sunset,
      fontFamily: 'Archivo, system-ui, sans-serif',
      fontSizeBase: '17px',
      spacingUnit: '5px',
      borderRadius: '2px',
    },
    rules: {
      '.Label': { fontWeight: '600', letterSpacing: '0.06em', textTransform: 'uppercase', fontSize: '14px' },
      '.Input': { border: `1px solid ${rule}`, boxShadow: 'none', padding: '14px' },
      '.Input:focus': { border: `1px solid ${gold}`, boxShadow: 'none', outline: `2px solid ${gold}` },
      '.Tab': { border: `1px solid ${rule}` },
      '.Tab--selected': { border: `1px solid ${gold}`, backgroundColor: background },
    },
  } as Appearance
}

/** A CSS color as '#rrggbb'; black without a canvas. */
function toHex(color: string): string {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (!context) return '#000000'
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
