import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type AdminOrder, adminOrdersApi } from '../../worker/contract/orders'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink } from '../admin/ScreenLink'
import { callPage, errorMessage } from '../api/call'
import { addressLines } from '../checkout/address-lines'
import { formatCountOf } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { EmptyNotice } from '../ui/EmptyNotice'
import { TextField } from '../ui/Field'
import { QueryBoundary } from '../ui/QueryBoundary'
import { CarrierField } from './CarrierField'
import { linesToShip } from './order-shipping'
import { packingSlipsQuery, useUpdateFulfilment } from './orders-admin.queries'

const TO_PACK_SEARCH = '?tab=pack&fulfilment=unfulfilled&sort=placed'

/** Loads the page of the list that `search` requests, and all pages after it. */
async function loadOrders(search: string): Promise<AdminOrder[]> {
  const { rows, next } = await callPage(adminOrdersApi.orders, {}, search)
  return next === null ? rows : [...rows, ...(await loadOrders(next))]
}

const ordersToPack = {
  queryKey: ['admin', 'packing'],
  queryFn: () => loadOrders(TO_PACK_SEARCH),
  // Loaded once, so that packing an order does not change the sequence.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
}

/** /admin/packing: packing one order after the other, on a phone. */
export function PackingPage() {
  const query = useQuery(ordersToPack)
  return (
    <>
      <RecordHeader back="orders" title="Packing" />
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the orders to pack', className: 'h-96' }}
        error="The orders to pack could not be loaded."
      >
        {(orders) => <Packing orders={orders} onReload={() => void query.refetch()} />}
      </QueryBoundary>
    </>
  )
}

function Packing({ orders, onReload }: { orders: readonly AdminOrder[]; onReload: () => void }) {
  const [index, setIndex] = useState(0)
  const [packedCount, setPackedCount] = useState(0)
  const [carrier, setCarrier] = useState('')
  const heading = useRef<HTMLHeadingElement>(null)
  const order = orders[index]
  useEffect(() => {
    if (index > 0) heading.current?.focus()
  }, [index])
  if (!order)
    return (
      <EmptyNotice role="status">
        <p>{packedCount > 0 ? `Done: ${formatCountOf(packedCount, 'order')} packed.` : 'Nothing to pack right now.'}</p>
        <div className="mt-5 flex flex-wrap gap-3">
          <Button
            onClick={() => {
              setIndex(0)
              setPackedCount(0)
              onReload()
            }}
          >
            Check for new orders
          </Button>
          <ScreenLink screen="orders" className={buttonClass('text')}>
            Go to all orders
          </ScreenLink>
        </div>
      </EmptyNotice>
    )
  return (
    <div className="max-w-xl">
      <p className="tabular-figures text-sm text-muted">
        Order {index + 1} of {orders.length}
      </p>
      <h2 ref={heading} tabIndex={-1} className="mt-1 text-lg font-semibold wrap-anywhere outline-none">
        {order.username ?? order.email ?? 'No email'}
        <span className="block text-sm font-normal text-muted">{order.id}</span>
      </h2>
      <OrderToPack
        key={order.id}
        order={order}
        carrier={carrier}
        onCarrierChange={setCarrier}
        onPacked={() => {
          setPackedCount(packedCount + 1)
          setIndex(index + 1)
        }}
        onSkip={() => setIndex(index + 1)}
      />
    </div>
  )
}

type OrderProps = {
  order: AdminOrder
  /** Shared by all orders, so the field starts with the carrier of the previous order. */
  carrier: string
  onCarrierChange: (carrier: string) => void
  onPacked: () => void
  onSkip: () => void
}

function OrderToPack({ order, carrier, onCarrierChange, onPacked, onSkip }: OrderProps) {
  const update = useUpdateFulfilment()
  const lines = linesToShip(order)
  const [checked, setChecked] = useState<ReadonlySet<string>>(() => new Set(initiallyCheckedIds(lines)))
  const [tracking, setTracking] = useState(order.tracking)
  const [error, setError] = useState<string>()
  const isShipped = tracking.trim() !== ''
  const submitLabel = isShipped ? 'Packed and shipped, next' : 'Packed, next'
  function submit(event: FormEvent) {
    event.preventDefault()
    if (update.isPending) return
    if (lines.some(({ id }) => !checked.has(id))) return setError('Check every item first.')
    setError(undefined)
    update.mutate(
      {
        id: order.id,
        fulfilment: isShipped ? 'shipped' : 'packed',
        carrier: isShipped ? carrier.trim() : order.carrier,
        tracking: tracking.trim(),
      },
      { onSuccess: onPacked, onError: (failure) => setError(errorMessage(failure)) },
    )
  }
  return (
    <form noValidate method="post" onSubmit={submit} className="mt-5 grid gap-5">
      {order.hasAddress ? (
        <ShippingAddress orderId={order.id} />
      ) : (
        order.addressMissing && (
          <p className="border-l-4 border-sunset bg-sleeve p-4">
            This order has no address yet. Skip it until the buyer adds one.
          </p>
        )
      )}
      <ul className="grid gap-3">
        {lines.map((line) => (
          <li key={line.id}>
            <label className="flex min-h-16 cursor-pointer items-center gap-4 border border-rule-strong bg-sleeve p-4 has-checked:border-gold">
              <input
                type="checkbox"
                className="size-8 shrink-0 accent-gold"
                checked={checked.has(line.id)}
                onChange={(event) => {
                  const next = new Set(checked)
                  if (event.currentTarget.checked) next.add(line.id)
                  else next.delete(line.id)
                  setChecked(next)
                }}
              />
              <span className="min-w-0 wrap-anywhere">
                <span className="block text-lg font-semibold">
                  {line.remainingQuantity} × {line.productName}
                </span>
                <span className="block text-muted">{[line.variantName, line.sku].filter(Boolean).join(', ')}</span>
                {line.items.map(({ name, quantity }) => (
                  <span key={name} className="block text-sm">
                    {quantity * line.remainingQuantity} × {name}
                  </span>
                ))}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <TextField
        label="Tracking"
        value={tracking}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="With a tracking number the order is marked as shipped and the buyer gets an email."
        onChange={(event) => setTracking(event.currentTarget.value)}
      />
      {isShipped && <CarrierField value={carrier} onChange={(event) => onCarrierChange(event.currentTarget.value)} />}
      {error && (
        <p role="alert" className="border-l-4 border-sunset bg-sleeve p-4 text-sm">
          {error}
        </p>
      )}
      <div className="sticky bottom-[calc(var(--bottom-bar,0rem)+0.75rem)] flex gap-3 bg-background py-2">
        <Button type="submit" variant="primary" className="min-h-14 flex-1" aria-disabled={update.isPending}>
          {update.isPending ? 'Saving' : submitLabel}
        </Button>
        <Button onClick={onSkip}>Skip</Button>
      </div>
    </form>
  )
}

/** Ids of the lines that start checked: only that of an order's single item, which cannot be forgotten. */
function initiallyCheckedIds([line, ...otherLines]: ReturnType<typeof linesToShip>): string[] {
  const isSingleItem = line?.remainingQuantity === 1 && line.items.length === 0 && otherLines.length === 0
  return isSingleItem ? [line.id] : []
}

/** The address that goes on the shipment. */
function ShippingAddress({ orderId }: { orderId: string }) {
  return (
    <QueryBoundary
      query={useQuery(packingSlipsQuery([orderId]))}
      loading={{ label: 'Loading the address', className: 'h-24' }}
      error="The address could not be loaded."
    >
      {([slip]) =>
        slip?.shippingAddress && (
          <address aria-label="Ship to" className="border-l-2 border-gold pl-4 not-italic wrap-anywhere">
            {addressLines(slip.shippingAddress).map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </address>
        )
      }
    </QueryBoundary>
  )
}
