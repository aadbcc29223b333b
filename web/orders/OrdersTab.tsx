import { useState } from 'react'
import { type AdminOrder, adminOrdersApi } from '../../worker/contract/orders'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { SelectField } from '../ui/Field'
import { OrderDialog } from './OrderDialog'
import { FULFILMENT_LABELS, orderStateLabel, shipmentFilterOptions, statusOptions } from './order-labels'
import { ADMIN_ORDERS_KEY } from './orders-admin.queries'
import { ParkedEvents } from './ParkedEvents'
import { PromotionCodePanel } from './PromotionCodePanel'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const columns: readonly Column<AdminOrder>[] = [
  {
    id: 'order',
    header: 'Order',
    cell: (row) => (
      <span>
        <span className="block">{day.format(Date.parse(row.createdAt))}</span>
        <span className="block text-xs text-muted">{row.id}</span>
      </span>
    ),
  },
  {
    id: 'product',
    header: 'Product',
    cell: (row) => `${row.productName}${row.quantity > 1 ? ` × ${row.quantity}` : ''}`,
  },
  { id: 'buyer', header: 'Buyer', cell: (row) => row.username ?? row.email ?? '–' },
  { id: 'amount', header: 'Amount', cell: (row) => formatPrice(row.amountCents), numeric: true },
  { id: 'state', header: 'State', cell: orderStateLabel },
  {
    id: 'parcel',
    header: 'Parcel',
    cell: (row) => {
      if (row.addressMissing) return <strong className="font-semibold text-sunset">Address missing</strong>
      return row.status === 'paid' ? FULFILMENT_LABELS[row.fulfilment] : '–'
    },
  },
]

/** What was ordered: found, sent, refunded; the channel's code; payments that nobody can place. */
export function OrdersTab() {
  const [status, setStatus] = useState('')
  const [fulfilment, setFulfilment] = useState('')
  const [open, setOpen] = useState<AdminOrder | null>(null)
  const listing = usePagedListing({
    key: [...ADMIN_ORDERS_KEY, 'list'],
    endpoint: adminOrdersApi.orders,
    label: 'Search orders',
    filter: { status, fulfilment },
  })
  return (
    <div className="grid gap-12">
      <Panel title="Orders" note="Newest first. Search by order, product, name or address.">
        <DataTable
          caption="Orders"
          listing={listing}
          columns={columns}
          rowKey={(row) => row.id}
          empty={status || fulfilment ? 'No order is at that.' : 'No order yet.'}
          tools={
            <>
              <SelectField
                className="min-w-40 flex-1"
                label="State"
                options={statusOptions}
                value={status}
                onChange={(event) => setStatus(event.target.value)}
              />
              <SelectField
                className="min-w-40 flex-1"
                label="Parcel"
                options={shipmentFilterOptions}
                value={fulfilment}
                onChange={(event) => setFulfilment(event.target.value)}
              />
            </>
          }
          actions={(row) => (
            <Button onClick={() => setOpen(row)} aria-label={`Open order ${row.id}`}>
              Open
            </Button>
          )}
        />
      </Panel>
      <PromotionCodePanel />
      <ParkedEvents />
      {open && (
        <OrderDialog
          // The list is fetched anew after each change: the dialog shows what it says now.
          order={listing.rows.find(({ id }) => id === open.id) ?? open}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}
