import '../styles/utilities.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { MyOrder } from '../../worker/contract/orders'
import { useMe } from '../auth/auth.queries'
import { SettingsSection } from '../auth/SettingsSection'
import { formatDate, formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { myOrders } from './orders.queries'

const PAID_ORDER_LABELS = {
  unfulfilled: 'paid',
  packed: 'packed',
  shipped: 'on its way',
  delivered: 'delivered',
} as const

export function AccountOrders() {
  const query = useInfiniteQuery({ ...myOrders, enabled: Boolean(useMe()) })
  const { isFetching, hasNextPage, fetchNextPage } = query
  return (
    <SettingsSection title="Your orders">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-20 max-w-xl', label: 'Loading your orders' }}
        error="Your orders could not be loaded."
      >
        {({ pages }) => {
          const orders = pages.flatMap(({ rows }) => rows)
          if (orders.length === 0)
            return (
              <p className="text-muted">No orders yet. What you buy while logged in appears here with its receipt.</p>
            )
          return (
            <ul className="tabular-figures max-w-xl">
              {orders.map((order) => (
                <li key={order.id} className="border-b border-rule first:border-t">
                  {/* A full page load, so that the server's Referrer-Policy protects the secret in the link. */}
                  <a
                    href={order.receiptUrl}
                    className="group flex min-h-16 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3"
                  >
                    <span>
                      <span className="block font-semibold group-hover:text-gold-bright">
                        {order.productName}
                        {order.quantity > 1 && ` × ${order.quantity}`}
                      </span>
                      <span className="block text-sm text-muted">
                        <time dateTime={order.createdAt}>{formatDate(order.createdAt)}</time>, {statusLabel(order)}
                      </span>
                    </span>
                    <span className="font-semibold">{formatPrice(order.amountCents)}</span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryBoundary>
      {hasNextPage && (
        <Button className="mt-5" aria-disabled={isFetching} onClick={() => !isFetching && void fetchNextPage()}>
          {isFetching ? 'Loading more' : 'Show more'}
        </Button>
      )}
    </SettingsSection>
  )
}

function statusLabel({ status, refundedCents, fulfilment }: MyOrder): string {
  if (status === 'refunded') return 'refunded'
  if (refundedCents > 0) return `${formatPrice(refundedCents)} refunded`
  return PAID_ORDER_LABELS[fulfilment]
}
