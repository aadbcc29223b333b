import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { FULFILMENT_STATUSES, type Fulfilment, type Order, ordersApi } from '../../worker/contract/orders'
import { call, errorMessage } from '../api/call'
import { AddressFields, ContactFields } from '../checkout/BuyerFields'
import { type BuyerInput, buyerSchema, EMPTY_ADDRESS, EMPTY_TAX_LOCATION } from '../checkout/buyer-schema'
import { Spinner } from '../checkout/CheckoutMessages'
import type { CheckoutSearch } from '../search-params'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { isPaymentPending, orderBySecret } from './orders.queries'

type Props = {
  order: Order
  secret: string
  /** Whether the page is polling the server for the payment's result. */
  isPolling: boolean
  /** Whether the buyer has just submitted a card. */
  isPaymentAwaited: boolean
  onRetry: () => void
}

// Must not say that nothing was charged, because a payment may still arrive.
const EXPIRED_TEXT = 'It was not paid in time. If a payment still arrives, this page will show what happens to it.'
const PENDING_TEXT = 'We are holding this order for you. If you have just paid, there is no need to pay again.'

export function OrderStatus({ order, secret, isPolling, isPaymentAwaited, onRetry }: Props) {
  if (isPolling)
    return (
      <StatusLayout title="Confirming your payment">
        <Spinner>The card has been sent. The provider confirms it within a few seconds.</Spinner>
        <p className="text-muted">You won’t be charged twice. You can close this page; your order continues.</p>
      </StatusLayout>
    )
  if (isPaymentAwaited && isPaymentPending(order))
    return (
      <StatusLayout title="Still waiting">
        <Message>
          Confirmation is taking longer than usual. There is no need to pay again: once we have it, we’ll email the
          receipt and show it here.
        </Message>
        <Button onClick={onRetry}>Check again</Button>
      </StatusLayout>
    )
  switch (order.status) {
    case 'paid':
      return (
        <StatusLayout title={isPaymentAwaited ? 'Purchase Successful' : 'Thank you'}>
          <p className="text-lg">
            {order.email ? (
              <>
                {isPaymentAwaited ? 'A receipt is on its way to ' : 'The receipt was sent to '}
                <strong className="font-semibold break-words">{order.email}</strong>.
              </>
            ) : (
              'This page is your receipt.'
            )}
          </p>
          {order.message && <Message>{order.message}</Message>}
          {order.addressMissing && <AddAddressForm order={order} secret={secret} />}
          {order.ships && <ShipmentSteps order={order} />}
        </StatusLayout>
      )
    case 'refunded':
      return (
        <StatusLayout title="Refunded">
          <Message>
            {order.message ?? 'The money is on its way back to your card. It can take up to ten days to appear.'}
          </Message>
        </StatusLayout>
      )
    case 'failed':
      return (
        <StatusLayout title="Payment Failed">
          <Message>{order.message ?? 'The card was declined, and this attempt was not charged.'}</Message>
          <ReorderLink order={order}>Try another card</ReorderLink>
        </StatusLayout>
      )
    case 'expired':
      return (
        <StatusLayout title="This order has expired">
          <Message>{order.message ?? EXPIRED_TEXT}</Message>
          <ReorderLink order={order}>Order again</ReorderLink>
        </StatusLayout>
      )
    case 'pending':
      return (
        <StatusLayout title="Not paid yet">
          <Message>{order.message ?? PENDING_TEXT}</Message>
          <ReorderLink order={order}>Go to payment</ReorderLink>
        </StatusLayout>
      )
  }
}

function StatusLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="order-title font-display">{title}</h1>
      <div className="mt-8 grid justify-items-start gap-6">{children}</div>
    </>
  )
}

function Message({ children }: { children: ReactNode }) {
  return <p className="max-w-prose border-l-4 border-gold bg-sleeve p-5 text-lg">{children}</p>
}

function ReorderLink({ order, children }: { order: Order; children: string }) {
  return (
    <Link to="/checkout" search={checkoutSearch(order)} className={buttonClass('primary', 'min-h-14 px-8')}>
      {children}
    </Link>
  )
}

/** Search parameters to check out the same product or, for several, the cart. */
function checkoutSearch({ lines, productId, quantity }: Order): CheckoutSearch {
  const [line] = lines
  if (lines.length > 1) return { cart: true }
  return { product: productId, quantity, ...(line && line.variantName !== '' && { variant: line.variantId }) }
}

const SHIPMENT_STEP_LABELS: Record<Fulfilment, string> = {
  unfulfilled: 'Ordered',
  packed: 'Packed',
  shipped: 'On its way',
  delivered: 'Delivered',
}

function ShipmentSteps({ order: { fulfilment, carrier, tracking } }: { order: Order }) {
  const current = FULFILMENT_STATUSES.indexOf(fulfilment)
  return (
    <section aria-label="Shipment" className="w-full max-w-md">
      <ol>
        {FULFILMENT_STATUSES.map((step, index) => (
          <li
            key={step}
            aria-current={index === current ? 'step' : undefined}
            className="flex min-h-12 items-center gap-4 border-t border-rule aria-[current]:font-semibold aria-[current]:text-gold-bright"
          >
            <span aria-hidden="true" className="tabular-figures w-7 shrink-0 font-label text-gold">
              {index <= current ? <Check size={18} /> : `0${index + 1}`}
            </span>
            <span className={index > current ? 'text-muted' : undefined}>{SHIPMENT_STEP_LABELS[step]}</span>
            {index < current && <span className="sr-only">(done)</span>}
          </li>
        ))}
      </ol>
      {tracking && (
        <p className="border-t border-rule pt-4">
          {carrier ? `Tracking with ${carrier}` : 'Tracking'}{' '}
          <span className="tabular-figures font-semibold break-all">{tracking}</span>
        </p>
      )}
    </section>
  )
}

/** Asks for the email or address that a paid order lacks. */
function AddAddressForm({ order, secret }: { order: Order; secret: string }) {
  const queryClient = useQueryClient()
  const asksForAddress = order.shippingAddress === null
  const { register, handleSubmit, watch, formState } = useForm<BuyerInput>({
    resolver: standardSchemaResolver(buyerSchema({ address: true, taxLocation: null })),
    mode: 'onTouched',
    defaultValues: {
      email: order.email ?? '',
      shippingAddress: order.shippingAddress ?? EMPTY_ADDRESS,
      taxLocation: EMPTY_TAX_LOCATION,
    },
  })
  const add = useMutation({
    mutationFn: ({ email, shippingAddress }: BuyerInput) =>
      call(ordersApi.addAddress, { id: order.id, body: { clientSecret: secret, email, shippingAddress } }),
    onSuccess: (complete) => {
      queryClient.setQueryData(orderBySecret(order.id, secret).queryKey, complete)
      toast({
        title: asksForAddress ? 'Address saved' : 'Email saved',
        text: asksForAddress ? 'We now know where to ship your order.' : 'Your order can ship now.',
      })
    },
    // Another tab may have completed the order.
    onError: () => queryClient.invalidateQueries(orderBySecret(order.id, secret)),
  })
  const { errors } = formState
  return (
    <form
      noValidate
      method="post"
      onSubmit={handleSubmit((buyer) => !add.isPending && add.mutate(buyer))}
      aria-label="What is missing"
      className="grid w-full max-w-xl gap-6"
    >
      {order.email === null && <ContactFields register={register} errors={errors} />}
      {asksForAddress && (
        <AddressFields register={register} errors={errors} isUS={watch('shippingAddress.country') === 'US'} />
      )}
      {add.error && (
        <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4">
          {errorMessage(add.error)}
        </p>
      )}
      <Button type="submit" variant="primary" aria-disabled={add.isPending} className="justify-self-start px-8">
        {add.isPending ? 'Saving' : `Save the ${asksForAddress ? 'address' : 'email'}`}
      </Button>
    </form>
  )
}
