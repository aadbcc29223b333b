import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Order } from '../../worker/contract/orders'
import { Waiting } from '../checkout/Waiting'
import { Button, buttonClass } from '../ui/Button'
import { ParcelSteps } from './ParcelSteps'

type Props = {
  order: Order
  /** The server is being asked until it knows. */
  isWaiting: boolean
  /** The buyer comes straight from the card. */
  awaited: boolean
  onAskAgain: () => void
}

/** Where an order stands, in words, and what its buyer can do now. */
export function OrderStatus({ order, isWaiting, awaited, onAskAgain }: Props) {
  if (isWaiting)
    return (
      <Words title="Confirming your payment">
        <Waiting>The card has been sent. We wait for the provider’s word; this takes a few seconds.</Waiting>
        <p className="text-muted">You will not be charged twice. You can close this page: the order goes on.</p>
      </Words>
    )
  switch (order.status) {
    case 'paid':
      return (
        <Words title={awaited ? 'Purchase Successful' : 'Thank you'}>
          <p className="text-lg">
            {order.email ? (
              <>
                A receipt is on its way to <strong className="font-semibold break-words">{order.email}</strong>.
              </>
            ) : (
              'This page is your receipt.'
            )}
          </p>
          {order.message && <Message>{order.message}</Message>}
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
          <Message>{order.message ?? 'The card was declined. Nothing has been charged.'}</Message>
          <Again order={order}>Try another card</Again>
        </Words>
      )
    case 'expired':
      return (
        <Words title="This order has run out">
          <Message>{order.message ?? 'It was not paid in time, and nothing has been charged.'}</Message>
          <Again order={order}>Order again</Again>
        </Words>
      )
    case 'pending':
      return awaited ? (
        <Words title="Still waiting">
          <Message>
            The provider’s word takes longer than usual. There is no need to pay again: once it comes, the receipt is
            mailed to you and stands here.
          </Message>
          <Button onClick={onAskAgain}>Check again</Button>
        </Words>
      ) : (
        <Words title="Not paid yet">
          <Message>{order.message ?? 'The order is kept for you for a while, and nothing has been charged.'}</Message>
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
