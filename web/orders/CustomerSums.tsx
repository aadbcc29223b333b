import type { Customer } from '../../worker/contract/orders'
import { formatCount, formatPrice } from '../lib/format'

/** Number of paid orders; the amounts paid and refunded, and their difference. */
export function CustomerSums({ totals: { orders, paidCents, refundedCents } }: Pick<Customer, 'totals'>) {
  const sums = [
    ['Paid orders', formatCount(orders)],
    ['Paid', formatPrice(paidCents)],
    ['Refunded', formatPrice(refundedCents)],
    ['Net', formatPrice(paidCents - refundedCents)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      {sums.map(([label, value]) => (
        <div key={label} className="border-t-2 border-gold pt-2">
          <dt className="font-label text-muted">{label}</dt>
          <dd className="tabular-figures mt-1 text-lg font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
