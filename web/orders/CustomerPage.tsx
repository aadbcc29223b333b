import { useQuery } from '@tanstack/react-query'
import { adminOrdersApi } from '../../worker/contract/orders'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink } from '../admin/ScreenLink'
import { useScreenParam } from '../admin/screen-location'
import { call } from '../api/call'
import { formatDateTime, formatPrice } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { CustomerSums } from './CustomerSums'
import { FULFILMENT_LABELS, orderStateLabel } from './order-labels'

/** /admin/customers/$orderId: all orders of the guest who placed this order. Supporters have their own page. */
export function CustomerPage() {
  const orderId = useScreenParam('orderId')
  const query = useQuery({
    queryKey: ['admin', 'orders', 'customer', orderId],
    queryFn: () => call(adminOrdersApi.customer, { orderId }),
    staleTime: 0,
  })
  return (
    <>
      <RecordHeader back="orders" title={query.data?.email ?? 'Guest'} />
      <QueryBoundary
        query={query}
        loading={{ className: 'h-96', label: 'Loading the customer' }}
        error="This customer’s orders could not be loaded. The customer may have asked us to erase their data."
      >
        {(customer) => (
          <Panel title="Orders" note="All orders placed with this email address, without an account.">
            <CustomerSums totals={customer.totals} />
            <ul className="mt-6">
              {customer.orders.map((order) => (
                <li
                  key={order.id}
                  className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-b border-rule py-3 text-sm"
                >
                  <div className="min-w-0">
                    <ScreenLink
                      screen="order"
                      params={{ id: order.id }}
                      className="inline-flex min-h-11 items-center font-semibold underline-offset-4 hover:text-gold-bright hover:underline"
                    >
                      {order.productName}
                    </ScreenLink>
                    <p className="text-muted">
                      {orderStateLabel(order)}
                      {order.status === 'paid' && `, ${FULFILMENT_LABELS[order.fulfilment]}`}
                    </p>
                  </div>
                  <p className="tabular-figures text-right">
                    {formatPrice(order.amountCents)}
                    <time dateTime={order.createdAt} className="block text-muted">
                      {formatDateTime(order.createdAt)}
                    </time>
                  </p>
                </li>
              ))}
            </ul>
          </Panel>
        )}
      </QueryBoundary>
    </>
  )
}
