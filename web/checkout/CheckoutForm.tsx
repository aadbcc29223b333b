import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useNavigate } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { PaymentIntent } from '../../worker/contract/checkout'
import type { Product } from '../../worker/contract/products'
import type { SiteConfig } from '../../worker/contract/site'
import { errorMessage } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'
import { AddressFields, type Buyer, buyerSchema, ContactFields, EMPTY_ADDRESS } from './BuyerFields'
import { type Card, CardPanel } from './CardPanel'
import { isAlreadyPaid, isOrderClosed, type OrderChange } from './order.queries'

type Props = {
  site: SiteConfig
  product: Product
  order: PaymentIntent
  onChange: (change: OrderChange) => Promise<PaymentIntent>
  isChanging: boolean
  /** Starts a new order after this one expired. Resolves to an error, or null on success. */
  onOrderClosed: () => Promise<Error | null>
}

const ORDER_EXPIRED = 'This order expired, so we started a new one. Please check it and pay again.'

export function CheckoutForm({ site, product, order, onChange, isChanging, onOrderClosed }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const { register, handleSubmit, getValues, reset, watch, formState } = useForm<Buyer>({
    resolver: standardSchemaResolver(buyerSchema(product)),
    mode: 'onTouched',
    defaultValues: { email: me?.email ?? '', shippingAddress: EMPTY_ADDRESS },
  })
  const [card, setCard] = useState<Card | null>(null)
  const [isPaying, setIsPaying] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  // A second click can arrive before the next render.
  const isBusy = useRef(false)
  const failureId = useId()
  const { errors } = formState
  const accountEmail = me?.email
  const email = useCallback(() => getValues('email').trim(), [getValues])

  // Fills in the account's email unless the buyer has typed another.
  useEffect(() => {
    if (accountEmail) reset({ ...getValues(), email: accountEmail }, { keepDirtyValues: true })
  }, [accountEmail, reset, getValues])

  async function pay(buyer: Buyer) {
    if (isBusy.current || !card || isChanging) return
    isBusy.current = true
    setIsPaying(true)
    setFailure(null)
    const message = await buy(card, buyer).catch(errorMessage)
    isBusy.current = false
    setIsPaying(false)
    if (message === null) return
    setFailure(message)
    if (message) toast({ title: 'Payment Failed', text: message, tone: 'destructive' })
  }

  /** Null once the provider has the payment, else an error message; empty if the card form shows it. */
  async function buy(paymentCard: Card, { email, shippingAddress }: Buyer): Promise<string | null> {
    if (!(await paymentCard.check())) return ''
    try {
      const { clientSecret, amountCents } = await onChange(product.ships ? { email, shippingAddress } : { email })
      if (clientSecret !== order.clientSecret) return ORDER_EXPIRED
      // A promotion code may have ended: never charge more than the button shows.
      if (amountCents !== order.amountCents) return 'The total has changed. Please check it and pay again.'
      const declineMessage = await paymentCard.charge()
      if (declineMessage !== null) return declineMessage
    } catch (error) {
      if (isOrderClosed(error)) {
        const newOrderError = await onOrderClosed()
        return newOrderError ? errorMessage(newOrderError) : ORDER_EXPIRED
      }
      // Another tab has paid this order.
      if (!isAlreadyPaid(error)) throw error
    }
    await navigate({
      to: '/orders/$id',
      params: { id: order.orderId },
      search: { client_secret: order.clientSecret ?? '', purchase: 'success' },
    })
    return null
  }

  return (
    <form noValidate method="post" onSubmit={handleSubmit(pay)} aria-label="Payment">
      <FormSection number="01" title="Contact">
        <ContactFields register={register} errors={errors} />
      </FormSection>
      {product.ships && (
        <FormSection number="02" title="Ship to">
          <AddressFields register={register} errors={errors} domestic={watch('shippingAddress.country') === 'US'} />
        </FormSection>
      )}
      <FormSection number={product.ships ? '03' : '02'} title="Card payment">
        <CardPanel
          site={site}
          orderId={order.orderId}
          clientSecret={order.clientSecret ?? ''}
          amountCents={order.amountCents}
          email={email}
          onReady={setCard}
        />
      </FormSection>
      {failure && (
        <p id={failureId} className="mb-5 border-l-4 border-sunset bg-sleeve p-4">
          {failure}
        </p>
      )}
      <Button
        type="submit"
        variant="primary"
        disabled={!card}
        aria-disabled={isPaying || isChanging}
        aria-describedby={failure ? failureId : undefined}
        className="pay-button"
      >
        {isPaying ? (
          <>
            <span aria-hidden="true" className="disc spinner spinner-small" />
            Processing
          </>
        ) : (
          <>
            <Lock size={18} aria-hidden />
            Pay {formatPrice(order.amountCents)}
          </>
        )}
      </Button>
      <p role="status" className="mt-4 min-h-6 text-sm text-muted">
        {isPaying
          ? 'We’re processing your payment. Please keep this page open.'
          : 'Card details never reach this site.'}
      </p>
    </form>
  )
}

function FormSection({ number, title, children }: { number: string; title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="checkout-section">
      <h2 id={id} className="mb-6 flex items-baseline gap-5 font-display text-xl">
        <span aria-hidden="true" className="tabular-figures font-label text-gold">
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  )
}
