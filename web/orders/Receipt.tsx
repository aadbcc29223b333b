import type { Order, OrderLine } from '../../worker/contract/orders'
import { addressLines } from '../checkout/address-lines'
import { BreakdownLines, SummaryRow, SummaryTotal } from '../checkout/SummaryRow'
import { formatLongDate, formatLongDateTime, formatPrice } from '../lib/format'
import { ResponsiveImage } from '../ui/ResponsiveImage'

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
        <p
          aria-hidden="true"
          className="receipt-stamp font-display"
          data-tone={order.status === 'paid' ? 'good' : 'over'}
        >
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
        <SummaryRow term={order.paidAt ? 'Paid' : 'Begun'}>
          {formatLongDateTime(order.paidAt ?? order.createdAt)}
        </SummaryRow>
        <BreakdownLines
          breakdown={order.breakdown}
          tax={order.tax}
          shippingMethod={order.ships ? (order.shippingMethod ?? (order.paidAt ? { name: '' } : null)) : undefined}
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

function ReceiptItem({ line }: { line: OrderLine }) {
  const { productName, variantName, imageUrl, quantity, unitPriceCents, releasesAt } = line
  const details = [variantName, quantity > 1 && `${quantity} × ${formatPrice(unitPriceCents)}`].filter(Boolean)
  return (
    <li className="grid grid-cols-[4.5rem_1fr] items-start gap-4">
      <div>
        <ResponsiveImage
          src={imageUrl}
          alt=""
          width={1200}
          height={1200}
          sizes="4.5rem"
          eager
          className="aspect-square w-full object-cover"
        />
      </div>
      <div className="flex min-w-0 justify-between gap-4">
        <div className="min-w-0">
          <p className="leading-tight font-extrabold wrap-anywhere">{productName}</p>
          {details.length > 0 && <p className="tabular-figures mt-1 text-sm">{details.join(', ')}</p>}
          {releasesAt && <p className="mt-1 text-sm">Pre-order, out on {formatLongDate(releasesAt)}</p>}
          {line.refundedCents > 0 && (
            <p className="tabular-figures mt-1 text-sm font-semibold text-sunset-deep">
              {line.refundedQuantity > 0 && `${line.refundedQuantity} returned, `}
              {formatPrice(line.refundedCents)} refunded
            </p>
          )}
        </div>
        <p className="tabular-figures shrink-0 font-semibold">{formatPrice(unitPriceCents * quantity)}</p>
      </div>
    </li>
  )
}
