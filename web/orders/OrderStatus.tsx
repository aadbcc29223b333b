import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Order } from '../../worker/contract/orders'
import { Waiting } from '../checkout/Waiting'
import { Button, buttonClass } from '../ui/Button'
import { MissingAddress } from './MissingAddress'
import { isUndecided } from './orders.queries'
import { ParcelSteps } from './ParcelSteps'

type Props = {
  order: Order
  /** What opens it. */
  secret: string
  /** The server is being asked until it knows. */
  isWaiting: boolean
  /** The buyer comes straight from the card. */
  awaited: boolean
  onAskAgain: () => void
}

// The server alone knows that nothing was charged: a payment may be under way.
const NO_WORD = 'It was not paid in time. Should a payment for it still arrive, this page says what becomes of it.'
const UNDER_WAY = 'The order is kept for you for a while. If you have just paid, there is no need to pay again.'

/** Where an order stands, in words, and what its buyer can do now. */
export function OrderStatus({ order, secret, isWaiting, awaited, onAskAgain }: Props) {
  if (isWaiting)
    return (
      <Words title="Confirming your payment">
        <Waiting>The card has been sent. We wait for the provider’s word; this takes a few seconds.</Waiting>
        <p className="text-muted">You will not be charged twice. You can close this page: the order goes on.</p>
      </Words>
    )
  if (awaited && isUndecided(order))
    return (
      <Words title="Still waiting">
        <Message>
          The provider’s word takes longer than usual. There is no need to pay again: once it comes, the receipt is
          mailed to you and stands here.
        </Message>
        <Button onClick={onAskAgain}>Check again</Button>
      </Words>
    )
  switch (order.status) {
    case 'paid':
      return (
        <Words title={awaited ? 'Purchase Successful' : 'Thank you'}>
          <p className="text-lg">
            {order.email ? (
              <>
                {awaited ? 'A receipt is on its way to ' : 'The receipt went to '}
                <strong className="font-semibold break-words">{order.email}</strong>.
              </>
            ) : (
              'This page is your receipt.'
            )}
          </p>
          {order.message && <Message>{order.message}</Message>}
          {order.addressMissing && <MissingAddress order={order} secret={secret} />}
          {order.ships && <ParcelSteps fulfilment={order.fulfilment} tracking={order.tracking} />}
        </Words>
      )
    case 'refunded':
      return (
        <Words title="Refunded">
          <Message>{order.message ?? 'The money is on its way back to your card. Banks take up to ten days.'}</Message>
        </Words>
      )
    case 'failed':
      return (
        <Words title="Payment Failed">
          <Message>{order.message ?? 'The card was declined, and this attempt was not charged.'}</Message>
          <Again order={order}>Try another card</Again>
        </Words>
      )
    case 'expired':
      return (
        <Words title="This order has run out">
          <Message>{order.message ?? NO_WORD}</Message>
          <Again order={order}>Order again</Again>
        </Words>
      )
    case 'pending':
      return (
        <Words title="Not paid yet">
          <Message>{order.message ?? UNDER_WAY}</Message>
          <Again order={order}>To the payment</Again>
        </Words>
      )
  }
}

function Words({ title, children }: { title: string; children: ReactNode }) {
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

function Again({ order, children }: { order: Order; children: string }) {
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
