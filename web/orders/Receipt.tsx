import type { Order, OrderLine } from '../../worker/contract/orders'
import { addressLines } from '../checkout/address-lines'
import { BreakdownRows, SummaryItem, SummaryRow, SummaryTotal } from '../checkout/SummaryRow'
import { formatLongDate, formatLongDateTime, formatPrice } from '../lib/format'

const STAMP_TEXTS: Partial<Record<Order['status'], string>> = { paid: 'Paid', refunded: 'Refunded', expired: 'Void' }

export function Receipt({ order }: { order: Order }) {
  const stamp = STAMP_TEXTS[order.status]
  const address = order.shippingAddress
  return (
    <article aria-labelledby="receipt-title" className="receipt">
      <h2 id="receipt-title" className="font-label">
        Receipt
      </h2>
      {stamp && (
        <p aria-hidden="true" className="receipt-stamp font-display" data-status={order.status}>
          {stamp}
        </p>
      )}
      <ul className="mt-8 mb-6 grid gap-5">
        {order.lines.map((line) => (
          <ReceiptItem key={line.id} line={line} />
        ))}
      </ul>
      <dl className="tabular-figures">
        <SummaryRow term="Order">
          <span className="text-sm break-all">{order.id}</span>
        </SummaryRow>
        <SummaryRow term={order.paidAt ? 'Paid' : 'Placed'}>
          {formatLongDateTime(order.paidAt ?? order.createdAt)}
        </SummaryRow>
        <BreakdownRows
          breakdown={order.breakdown}
          tax={order.tax}
          shippingMethod={order.ships ? shippingMethodOf(order) : undefined}
          code={order.discountCode}
        />
        {address && (
          <SummaryRow term="Ships to">
            <address className="not-italic">
              {addressLines(address).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </address>
          </SummaryRow>
        )}
        <SummaryTotal>{formatPrice(order.amountCents)}</SummaryTotal>
        {/* Below the total, which is the amount paid. */}
        {order.refundedCents > 0 && <SummaryRow term="Refunded">−{formatPrice(order.refundedCents)}</SummaryRow>}
      </dl>
      {order.test && <p className="mt-5 text-sm font-semibold">Test payment: no card was charged</p>}
    </article>
  )
}

/** Null until the buyer chooses a method. A paid order without one shipped for free, which an empty name stands for. */
function shippingMethodOf({ shippingMethod, paidAt }: Order): { name: string } | null {
  if (shippingMethod) return shippingMethod
  return paidAt ? { name: '' } : null
}

const ReceiptItem = ({ line }: { line: OrderLine }) => (
  <SummaryItem line={line}>
    {line.releasesAt && <p className="mt-1 text-sm">Pre-order, out on {formatLongDate(line.releasesAt)}</p>}
    {line.refundedCents > 0 && (
      <p className="tabular-figures mt-1 text-sm font-semibold text-sunset-deep">
        {line.refundedQuantity > 0 && `${line.refundedQuantity} returned, `}
        {formatPrice(line.refundedCents)} refunded
      </p>
    )}
  </SummaryItem>
)
