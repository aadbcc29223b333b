import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ADDRESS_MISSING, type AdminOrder, adminOrdersApi, type OrderTab } from '../../worker/contract/orders'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, choiceFilter } from '../admin/list/list-definition'
import { Panel } from '../admin/Panel'
import { ScreenLink } from '../admin/ScreenLink'
import { toScreen } from '../admin/screen-location'
import { errorMessage } from '../api/call'
import { formatDateTime, formatPrice } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { BroadcastCodePanel } from './BroadcastCodePanel'
import { FULFILMENT_LABELS, orderStateLabel, STATUS_LABELS } from './order-labels'
import { hasShipped } from './order-shipping'
import { parkedEvents, useDismissEvent } from './orders-admin.queries'
import { ShipOrdersDialog } from './ShipOrdersDialog'

const joinIds = (rows: readonly AdminOrder[]) => rows.map(({ id }) => id).join(',')
const isUnshipped = (order: AdminOrder) => order.status === 'paid' && !hasShipped(order)

const orderList: AdminListDefinition<'/api/admin/orders', AdminOrder> = {
  name: 'orders',
  title: 'Orders',
  endpoint: adminOrdersApi.orders,
  searchLabel: 'Search by number, product, name or full email',
  nameOf: ({ id }) => `Order ${id}`,
  linkOf: ({ id }) => toScreen('order', { params: { id } }),
  tabs: [
    {
      id: 'pack',
      label: 'To pack',
      empty: 'Nothing to pack. Paid orders appear here until they are shipped, except while their payment is disputed.',
    },
    { id: 'shipped', label: 'Shipped', empty: 'Nothing shipped yet. Mark an order as shipped and it moves here.' },
    {
      id: 'preorders',
      label: 'Pre-orders',
      empty: 'No pre-orders. Orders of a product before its release wait here until it is out.',
    },
    {
      id: 'refunds',
      label: 'Refunds',
      empty: 'No refunds. Orders whose money went back, or is about to, appear here.',
    },
    { id: 'all', label: 'All', empty: 'No orders yet. They appear here as soon as someone opens the checkout.' },
  ] satisfies { id: OrderTab; label: string; empty: string }[],
  columns: [
    {
      id: 'order',
      header: 'Order',
      cell: ({ id }) => <span className="tabular-figures wrap-anywhere">{id}</span>,
    },
    {
      id: 'product',
      header: 'Product',
      cell: (row) => `${row.productName}${row.quantity > 1 && row.lines.length === 1 ? ` × ${row.quantity}` : ''}`,
    },
    { id: 'buyer', header: 'Buyer', cell: (row) => row.username ?? row.email ?? 'No email' },
    {
      id: 'amount',
      header: 'Amount',
      cell: (row) => formatPrice(row.amountCents),
      isNumeric: true,
      sort: 'amount',
    },
    { id: 'state', header: 'Payment', cell: orderStateLabel },
    { id: 'fulfilment', header: 'Shipment', cell: (row) => <ShipmentState order={row} /> },
    { id: 'address', header: 'Address', cell: (row) => <AddressState order={row} /> },
    {
      id: 'placed',
      header: 'Placed',
      cell: (row) => <time dateTime={row.createdAt}>{formatDateTime(row.createdAt)}</time>,
      sort: 'placed',
    },
    {
      id: 'tracking',
      header: 'Tracking',
      cell: (row) => [row.carrier, row.tracking].filter(Boolean).join(' '),
      isOptional: true,
    },
  ],
  filters: [
    choiceFilter('status', 'Payment', STATUS_LABELS),
    choiceFilter('fulfilment', 'Shipment', { ...FULFILMENT_LABELS, [ADDRESS_MISSING]: 'Address missing' }),
    { id: 'placed', label: 'Placed', kind: 'days' },
  ],
  bulkActions: [
    { label: 'Mark as shipped', appliesTo: isUnshipped, Dialog: ShipOrdersDialog },
    { label: 'Packing slips', linkOf: (rows) => toScreen('packing-slips', { search: { orders: joinIds(rows) } }) },
    { label: 'Address labels', linkOf: (rows) => toScreen('labels', { search: { orders: joinIds(rows) } }) },
  ],
  empty: 'No orders yet.',
}

function ShipmentState({ order }: { order: AdminOrder }) {
  if (order.status !== 'paid') return '–'
  return (
    <span className={clsx(order.fulfilment === 'unfulfilled' && 'text-gold-bright')}>
      {FULFILMENT_LABELS[order.fulfilment]}
    </span>
  )
}

function AddressState({ order }: { order: AdminOrder }) {
  if (order.addressMissing) return <strong className="font-semibold text-sunset">Missing</strong>
  if (order.hasAddress) return <span className="text-bay">Complete</span>
  return order.shippingMethod?.isPickup ? 'Picked up at a show' : '–'
}

export function OrdersTab() {
  return (
    <div className="grid gap-12">
      <AdminList
        list={orderList}
        tools={
          <ScreenLink screen="packing" className={buttonClass('primary')}>
            Start packing
          </ScreenLink>
        }
        note="What to pack and send, and what came back. To search by email, enter the whole address."
      />
      <BroadcastCodePanel />
      <ParkedEvents />
    </div>
  )
}

/** Rejected refunds and unmatched payments; hidden while there are none. */
function ParkedEvents() {
  const { data } = useQuery(parkedEvents)
  const dismiss = useDismissEvent()
  if (!data || data.length === 0) return null
  return (
    <Panel
      title="Payments to review"
      note="These were not processed automatically. Search for the order, or check the payment provider."
    >
      <ul>
        {data.map((event) => (
          <li key={event.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-rule py-3 text-sm">
            <div className="min-w-60 flex-1">
              <p>{event.reason}</p>
              <p className="mt-1 text-xs break-all text-muted">
                <time dateTime={event.receivedAt}>{formatDateTime(event.receivedAt)}</time>, {event.type},{' '}
                {[event.orderId, event.paymentIntentId ?? event.id].filter(Boolean).join(', ')}
              </p>
            </div>
            {event.dismissable && (
              <Button
                aria-label={`Dismiss: ${event.reason}`}
                aria-disabled={dismiss.isPending}
                onClick={() => !dismiss.isPending && dismiss.mutate(event.id)}
              >
                Dismiss
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dismiss.error && (
        <p role="alert" className="mt-4 border-l-4 border-sunset bg-sleeve p-4 text-sm">
          {errorMessage(dismiss.error)}
        </p>
      )}
    </Panel>
  )
}
