import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AdminOrder, adminOrdersApi } from '../../worker/contract/orders'
import { usePagedListing } from '../admin/listings'
import { Panel } from '../admin/Panel'
import { errorMessage } from '../api/call'
import { formatCountOf, formatDateTime, formatLongDate, formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { type Column, DataTable } from '../ui/DataTable'
import { SelectField, TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast } from '../ui/toast'
import { FULFILMENT_LABELS, fulfilmentFilterOptions, OrderDialog, orderStateLabel, statusOptions } from './OrderDialog'
import {
  ADMIN_ORDERS_KEY,
  parkedEvents,
  promotionCode,
  useDismissEvent,
  useRotatePromotionCode,
} from './orders-admin.queries'

const columns: readonly Column<AdminOrder>[] = [
  {
    id: 'order',
    header: 'Order',
    cell: (row) => (
      <span>
        <span className="block">{formatDateTime(row.createdAt)}</span>
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
    id: 'fulfilment',
    header: 'Parcel',
    cell: (row) => {
      if (row.addressMissing) return <strong className="font-semibold text-sunset">Address missing</strong>
      return row.status === 'paid' ? FULFILMENT_LABELS[row.fulfilment] : '–'
    },
  },
]

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
          empty={status || fulfilment ? 'No orders have that status.' : 'No orders yet.'}
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
                options={fulfilmentFilterOptions}
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
          // The list is refetched after each change, so the dialog reads the order from it.
          order={listing.rows.find(({ id }) => id === open.id) ?? open}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

/** Refused refunds and unmatched payments; hidden while there are none. */
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
                aria-label={`Seen: ${event.reason}`}
                aria-disabled={dismiss.isPending}
                onClick={() => !dismiss.isPending && dismiss.mutate(event.id)}
              >
                Seen
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

function PromotionCodePanel() {
  const query = useQuery(promotionCode)
  const current = query.data
  const rotate = useRotatePromotionCode()
  const [newCode, setNewCode] = useState('')
  const [isConfirming, setConfirming] = useState(false)
  const [error, setError] = useState<string>()

  function submit(event: FormEvent) {
    event.preventDefault()
    setError(undefined)
    setConfirming(true)
  }
  function confirm() {
    rotate.mutate(newCode.trim(), {
      onSuccess: ({ code }) => {
        setNewCode('')
        toast({ title: 'New code', text: `The code is now ${code}. Post it in the broadcast channel.` })
      },
      onError: (rotateError) => setError(errorMessage(rotateError)),
      onSettled: () => setConfirming(false),
    })
  }

  return (
    <Panel title="Promotion code" note="For the broadcast channel. One code is active at a time, once per order.">
      <QueryBoundary
        query={query}
        loading={{ className: 'h-24', label: 'Loading the code' }}
        error="The code could not be loaded."
      >
        {() => (
          <div className="grid gap-6 md:grid-cols-2">
            <div>
              <p className="tabular-figures font-display text-2xl break-all">{current?.code ?? 'None yet'}</p>
              {current && (
                <p className="mt-2 text-sm text-muted">
                  {formatPrice(current.discountCents)} off since {formatLongDate(current.createdAt)}, on{' '}
                  {formatCountOf(current.uses, 'paid order')}.
                </p>
              )}
            </div>
            <form noValidate method="post" onSubmit={submit} className="grid gap-4">
              <TextField
                label="New code"
                value={newCode}
                onChange={(event) => setNewCode(event.target.value)}
                maxLength={24}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                error={error}
                hint="Leave empty for a random code."
              />
              <Button type="submit" className="justify-self-start">
                {current ? 'Replace the code' : 'Create a code'}
              </Button>
            </form>
          </div>
        )}
      </QueryBoundary>
      {isConfirming && (
        <ConfirmDialog
          title={current ? 'Replace the code?' : 'Create a code?'}
          confirm={current ? 'Replace it' : 'Create it'}
          pending={rotate.isPending}
          onConfirm={confirm}
          onClose={() => setConfirming(false)}
        >
          <p>
            {current ? `${current.code} stops working at once, in open checkouts too. ` : ''}
            {newCode.trim() === ''
              ? 'We’ll create a random code.'
              : `${newCode.trim().toUpperCase()} becomes the code.`}
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
