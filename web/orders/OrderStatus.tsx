import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Order } from '../../worker/contract/orders'
import { Spinner } from '../checkout/Spinner'
import { Button, buttonClass } from '../ui/Button'
import { AddAddressForm } from './AddAddressForm'
import { isPaymentPending } from './orders.queries'
import { ShipmentSteps } from './ShipmentSteps'

type Props = {
  order: Order
  /** What opens it. */
  secret: string
  /** The server is being asked until it knows. */
  isWaiting: boolean
  /** The buyer comes straight from the card. */
  isPaymentAwaited: boolean
  onCheckAgain: () => void
}

// The server alone knows that nothing was charged: a payment may be under way.
const EXPIRED_TEXT = 'It was not paid in time. Should a payment for it still arrive, this page says what becomes of it.'
const PENDING_TEXT = 'The order is kept for you for a while. If you have just paid, there is no need to pay again.'

/** Where an order stands, in words, and what its buyer can do now. */
export function OrderStatus({ order, secret, isWaiting, isPaymentAwaited, onCheckAgain }: Props) {
  if (isWaiting)
    return (
      <StatusLayout title="Confirming your payment">
        <Spinner>The card has been sent. We wait for the provider’s word; this takes a few seconds.</Spinner>
        <p className="text-muted">You will not be charged twice. You can close this page: the order goes on.</p>
      </StatusLayout>
    )
  if (isPaymentAwaited && isPaymentPending(order))
    return (
      <StatusLayout title="Still waiting">
        <Message>
          The provider’s word takes longer than usual. There is no need to pay again: once it comes, the receipt is
          mailed to you and stands here.
        </Message>
        <Button onClick={onCheckAgain}>Check again</Button>
      </StatusLayout>
    )
  switch (order.status) {
    case 'paid':
      return (
        <StatusLayout title={isPaymentAwaited ? 'Purchase Successful' : 'Thank you'}>
          <p className="text-lg">
            {order.email ? (
              <>
                {isPaymentAwaited ? 'A receipt is on its way to ' : 'The receipt went to '}
                <strong className="font-semibold break-words">{order.email}</strong>.
              </>
            ) : (
              'This page is your receipt.'
            )}
          </p>
          {order.message && <Message>{order.message}</Message>}
          {order.addressMissing && <AddAddressForm order={order} secret={secret} />}
          {order.ships && <ShipmentSteps fulfilment={order.fulfilment} tracking={order.tracking} />}
        </StatusLayout>
      )
    case 'refunded':
      return (
        <StatusLayout title="Refunded">
          <Message>{order.message ?? 'The money is on its way back to your card. Banks take up to ten days.'}</Message>
        </StatusLayout>
      )
    case 'failed':
      return (
        <StatusLayout title="Payment Failed">
          <Message>{order.message ?? 'The card was declined, and this attempt was not charged.'}</Message>
          <OrderAgainLink order={order}>Try another card</OrderAgainLink>
        </StatusLayout>
      )
    case 'expired':
      return (
        <StatusLayout title="This order has run out">
          <Message>{order.message ?? EXPIRED_TEXT}</Message>
          <OrderAgainLink order={order}>Order again</OrderAgainLink>
        </StatusLayout>
      )
    case 'pending':
      return (
        <StatusLayout title="Not paid yet">
          <Message>{order.message ?? PENDING_TEXT}</Message>
          <OrderAgainLink order={order}>To the payment</OrderAgainLink>
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

function OrderAgainLink({ order, children }: { order: Order; children: string }) {
  return (
    <Link
      to="/checkout"
      search={{ product: order.productId, quantity: order.quantity }}
      className={buttonClass('foil', 'min-h-14 px-8')}
    >
      {children}
    </Link>
  )
}
