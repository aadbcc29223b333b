import type { Order, ShippingAddress } from '../../worker/contract/orders'
import { ReceiptLine, ReceiptTotal } from '../checkout/ReceiptLine'
import { formatLongDateTime, formatPrice } from '../lib/format'
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
      <div className="mt-8 mb-6 grid grid-cols-[5.5rem_1fr] items-center gap-5">
        <ResponsiveImage
          src={order.imageUrl}
          alt=""
          width={1200}
          height={1200}
          sizes="5.5rem"
          eager
          className="aspect-square w-full object-cover"
        />
        <p className="text-lg leading-tight font-extrabold">{order.productName}</p>
      </div>
      <dl className="tabular-figures">
        <ReceiptLine term="Order">
          <span className="text-sm break-all">{order.id}</span>
        </ReceiptLine>
        <ReceiptLine term={order.paidAt ? 'Paid' : 'Begun'}>
          {formatLongDateTime(order.paidAt ?? order.createdAt)}
        </ReceiptLine>
        <ReceiptLine term="Quantity">{order.quantity}</ReceiptLine>
        <ReceiptLine term="Unit price">{formatPrice(order.unitPriceCents)}</ReceiptLine>
        {order.discountCents > 0 && <ReceiptLine term="Promotion">−{formatPrice(order.discountCents)}</ReceiptLine>}
        {address && (
          <ReceiptLine term="Ships to">
            <address className="not-italic">
              {addressLines(address).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </address>
          </ReceiptLine>
        )}
        <ReceiptTotal>{formatPrice(order.amountCents)}</ReceiptTotal>
        {/* Below the total, which is the amount paid. */}
        {order.refundedCents > 0 && <ReceiptLine term="Refunded">−{formatPrice(order.refundedCents)}</ReceiptLine>}
      </dl>
      {order.test && <p className="mt-5 text-sm font-semibold">Test payment: no card was charged</p>}
    </article>
  )
}

/** The lines of a postal address, with the country unless it is the United States. */
export function addressLines({ name, line1, line2, city, state, postalCode, country }: ShippingAddress): string[] {
  const cityLine = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, line1, line2 ?? '', cityLine, country === 'US' ? '' : country].filter(Boolean)
}
