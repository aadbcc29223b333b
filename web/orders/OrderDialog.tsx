import type { ReactNode } from 'react'
import type { AdminOrder } from '../../worker/contract/orders'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { addressLines } from './address-lines'
import { FulfilmentForm } from './FulfilmentForm'
import { orderStateLabel } from './order-labels'
import { useRevealBuyer } from './orders-admin.queries'
import { RefundForm } from './RefundForm'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })

/** One order of the desk: its figures, who it goes to once that is asked for, its parcel, and its money back. */
export function OrderDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const reveal = useRevealBuyer()
  const buyer = reveal.data
  const details: [string, ReactNode][] = [
    ['State', orderStateLabel(order)],
    ['Ordered', day.format(Date.parse(order.createdAt))],
    ['Paid', order.paidAt ? day.format(Date.parse(order.paidAt)) : 'Not yet'],
    ['Product', `${order.productName} × ${order.quantity}`],
    ['Amount', formatPrice(order.amountCents)],
    ...(order.discountCents > 0
      ? [
          ['Promotion', `${formatPrice(order.discountCents)} by ${order.promotionCode ?? 'a code'}`] as [
            string,
            ReactNode,
          ],
        ]
      : []),
    ...(order.refundedCents > 0 ? [['Refunded', formatPrice(order.refundedCents)] as [string, ReactNode]] : []),
    ['Account', order.username ?? 'None'],
    ['E-mail', buyer ? (buyer.email ?? 'None') : (order.email ?? 'None')],
    ...(order.addressAddedAt
      ? [['Address added', `${day.format(Date.parse(order.addressAddedAt))}, by the buyer`] as [string, ReactNode]]
      : []),
    ...(buyer?.shippingAddress
      ? [['Ships to', addressLines(buyer.shippingAddress).join(', ')] as [string, ReactNode]]
      : []),
  ]
  return (
    <Dialog title={`Order ${order.id}`} onClose={onClose}>
      <div className="grid gap-8 p-6 md:p-9">
        <header className="mr-10">
          <p className="font-label text-gold">{order.test ? 'Test order' : 'Order'}</p>
          <p className="mt-2 text-xl font-bold break-all">{order.id}</p>
        </header>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6">
          {details.map(([term, value]) => (
            <div key={term} className="col-span-full grid grid-cols-subgrid border-t border-rule py-2">
              <dt className="text-sm leading-6 text-muted">{term}</dt>
              <dd className="figures leading-6 break-words">{value}</dd>
            </div>
          ))}
        </dl>
        {order.addressMissing && (
          <div className="border-l-4 border-sunset bg-sleeve p-4">
            <p className="font-semibold">Address missing</p>
            <p className="mt-1 text-sm text-muted">
              {order.email
                ? 'This is paid, and there is no address to send it to. Write to the buyer, or send the money back.'
                : 'This is paid, and there is no mailbox to ask for what is missing. Send it if you can, or send the money back.'}
            </p>
          </div>
        )}
        {!buyer && (order.email || order.hasAddress) && (
          <div>
            <Button
              aria-disabled={reveal.isPending}
              onClick={() =>
                reveal.mutate(order.id, {
                  onError: ({ message }) => toast({ title: 'Not shown', text: message, tone: 'destructive' }),
                })
              }
            >
              {order.hasAddress ? 'Show the address' : 'Show the e-mail'}
            </Button>
            <p className="mt-2 text-sm text-muted">Each look is written to the audit.</p>
          </div>
        )}
        {order.status === 'paid' && <FulfilmentForm key={order.fulfilment + order.tracking} order={order} />}
        {order.refundable && <RefundForm order={order} />}
      </div>
    </Dialog>
  )
}
