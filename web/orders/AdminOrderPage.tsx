import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AdminOrder, type AdminOrderRecord, adminOrdersApi, type OrderEvent } from '../../worker/contract/orders'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { ScreenLink } from '../admin/ScreenLink'
import { useScreenParam } from '../admin/screen-location'
import { Timeline } from '../admin/Timeline'
import { call } from '../api/call'
import { addressLines, countryName } from '../checkout/address-lines'
import { formatDateTime, formatLongDate, formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { toastError } from '../ui/toast'
import { OrderRefund } from './OrderRefund'
import { OrderShipment } from './OrderShipment'
import { FULFILMENT_LABELS, orderStateLabel } from './order-labels'
import { useRevealBuyer } from './orders-admin.queries'

const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'orders', 'page', id],
    queryFn: () => call(adminOrdersApi.order, { id }),
    staleTime: 0,
  })

/** /admin/orders/$id: lines, payment, buyer and events of an order, with its actions. */
export function AdminOrderPage() {
  const id = useScreenParam('id')
  const query = useQuery(orderQuery(id))
  return (
    <>
      <RecordHeader back="orders" title={`Order ${id}`} />
      {query.data?.dispute && <DisputeNotice dispute={query.data.dispute} />}
      <QueryBoundary
        key={id}
        query={query}
        loading={{ className: 'h-96', label: 'Loading the order' }}
        error="The order could not be loaded. It may have been deleted."
      >
        {(order) => (
          <div className="grid gap-x-12 gap-y-12 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            {/* On a phone the refund comes last. */}
            <div className="grid content-start gap-12 max-lg:contents">
              <OrderLines order={order} />
              <div className="max-lg:order-last">
                <OrderRefund order={order} />
              </div>
            </div>
            <div className="grid content-start gap-12">
              <OrderDetails order={order} />
              {order.status === 'paid' && (
                <OrderShipment key={`${order.fulfilment} ${order.carrier} ${order.tracking}`} order={order} />
              )}
              <OrderEvents events={order.events} />
            </div>
          </div>
        )}
      </QueryBoundary>
    </>
  )
}

function DisputeNotice({ dispute }: { dispute: NonNullable<AdminOrder['dispute']> }) {
  return (
    <div role="status" className="mb-12 border-l-4 border-sunset bg-sleeve p-4">
      <p className="font-semibold">The buyer’s bank opened a dispute. Shipping is on hold until it is closed.</p>
      <p className="mt-1 text-sm text-muted">
        Opened {formatDateTime(dispute.openedAt)}.
        {dispute.respondBy && ` Please answer at the payment provider by ${formatDateTime(dispute.respondBy)}.`}
      </p>
    </div>
  )
}

function OrderDetails({ order }: { order: AdminOrderRecord }) {
  const details: readonly [string, ReactNode][] = [
    ['Payment', orderStateLabel(order)],
    ['Shipment', order.status === 'paid' ? FULFILMENT_LABELS[order.fulfilment] : '–'],
    ['Placed', formatDateTime(order.createdAt)],
    ['Paid', order.paidAt ? formatDateTime(order.paidAt) : 'Not yet'],
    ['Customer', <CustomerLink key="customer" customer={order.customer} />],
    ['Delivery', order.shippingMethod?.name ?? '–'],
    ['Taxed in', order.taxLocation && taxLocationText(order.taxLocation)],
    ['Kind', order.test && 'Test order: no card was charged'],
  ]
  return (
    <Panel title="Details">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 text-sm">
        {details.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="tabular-figures wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Buyer order={order} />
    </Panel>
  )
}

const taxLocationText = ({ country, state }: NonNullable<AdminOrderRecord['taxLocation']>) =>
  [state, countryName(country)].filter(Boolean).join(', ')

function CustomerLink({ customer }: Pick<AdminOrderRecord, 'customer'>) {
  const className = 'underline underline-offset-4 hover:text-gold-bright'
  if (!customer) return 'Guest without an email'
  return customer.kind === 'supporter' ? (
    <ScreenLink screen="supporter" params={{ id: customer.id }} className={className}>
      {customer.username}
    </ScreenLink>
  ) : (
    <ScreenLink screen="customer" params={{ orderId: customer.orderId }} className={className}>
      {customer.email} (guest)
    </ScreenLink>
  )
}

/** Email and address, masked until revealed. */
function Buyer({ order }: { order: AdminOrderRecord }) {
  const reveal = useRevealBuyer()
  const buyer = reveal.data
  return (
    <div className="mt-6 border-t border-rule pt-4">
      <p className="text-sm wrap-anywhere">{(buyer ? buyer.email : order.email) ?? 'No email'}</p>
      {buyer?.shippingAddress && (
        <address className="mt-2 not-italic">
          {addressLines(buyer.shippingAddress).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </address>
      )}
      {order.addressAddedAt && (
        <p className="mt-2 text-sm text-muted">The buyer added the address {formatDateTime(order.addressAddedAt)}.</p>
      )}
      {order.addressMissing && (
        <div className="mt-4 border-l-4 border-sunset bg-sleeve p-4">
          <p className="font-semibold">Address missing</p>
          <p className="mt-1 text-sm text-muted">
            {order.email
              ? 'This order is paid but has no shipping address. Email the buyer, or refund it.'
              : 'This order is paid but has no email address, so we cannot ask the buyer for what is missing. Ship it if you can, or refund it.'}
          </p>
        </div>
      )}
      {!buyer && (order.email || order.hasAddress) && (
        <>
          <Button
            className="mt-3"
            aria-disabled={reveal.isPending}
            onClick={() => reveal.isPending || reveal.mutate(order.id, { onError: toastError('Not shown') })}
          >
            {order.hasAddress ? 'Show the address' : 'Show the email'}
          </Button>
          <p className="mt-2 text-sm text-muted">Every reveal is written to the audit log.</p>
        </>
      )}
    </div>
  )
}

function OrderLines({ order }: { order: AdminOrder }) {
  const { breakdown } = order
  const sums: readonly (readonly [string, number | false])[] = [
    ['Items', breakdown.linesCents],
    [
      order.discountCode ? `Code ${order.discountCode}` : 'Discount',
      breakdown.discountCents > 0 && -breakdown.discountCents,
    ],
    [
      order.shippingMethod ? `Delivery, ${order.shippingMethod.name}` : 'Delivery',
      order.shippingMethod !== null && breakdown.shippingCents,
    ],
    [breakdown.taxIncluded ? 'Tax, included' : 'Tax', breakdown.taxCents > 0 && breakdown.taxCents],
  ]
  return (
    <Panel title="Items">
      <ul>
        {order.lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[4rem_1fr_auto] gap-4 border-b border-rule py-3 first:pt-0">
            <div>
              <ResponsiveImage src={line.imageUrl} alt="" sizes="4rem" className="aspect-square w-full object-cover" />
            </div>
            <div className="min-w-0">
              <p className="font-semibold wrap-anywhere">
                {line.productName}
                {line.variantName && <span className="text-muted"> {line.variantName}</span>}
              </p>
              <p className="tabular-figures text-sm text-muted">
                {line.quantity} × {formatPrice(line.unitPriceCents)}
                {line.sku && `, ${line.sku}`}
              </p>
              {line.releasesAt && new Date(line.releasesAt) > new Date() && (
                <p className="text-sm text-bay">Pre-order, out {formatLongDate(line.releasesAt)}</p>
              )}
              {line.refundedQuantity > 0 && (
                <p className="text-sm text-sunset">
                  {line.refundedQuantity} refunded ({formatPrice(line.refundedCents)}), {line.restockedQuantity} back in
                  stock
                </p>
              )}
            </div>
            <p className="tabular-figures">{formatPrice(line.quantity * line.unitPriceCents)}</p>
          </li>
        ))}
      </ul>
      <dl className="tabular-figures mt-4 grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-sm">
        {sums.map(
          ([label, cents]) =>
            cents !== false && (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="text-right">{formatPrice(cents)}</dd>
              </div>
            ),
        )}
        <div className="col-span-full flex justify-between border-t border-rule-strong pt-2 text-base font-semibold">
          <dt>Total</dt>
          <dd>{formatPrice(order.amountCents)}</dd>
        </div>
        {order.refundedCents > 0 && (
          <>
            <dt className="text-muted">Refunded</dt>
            <dd className="text-right">{formatPrice(-order.refundedCents)}</dd>
          </>
        )}
      </dl>
    </Panel>
  )
}

/** 'Paid: $89.00', or 'Paid' for an event without an amount. */
const withAmount = (text: string) => (amount: string | null) => (amount === null ? text : `${text}: ${amount}`)

/** The text of each kind of event; `by` is the admin's name. */
const EVENT_TEXTS: Readonly<Record<OrderEvent['kind'], (amount: string | null, by: string) => string>> = {
  placed: () => 'The buyer opened the checkout',
  paid: withAmount('Paid'),
  address_added: () => 'The buyer added the missing address',
  unfulfilled: (_, by) => `${by} moved it back to “To pack”`,
  packed: (_, by) => `${by} packed it`,
  shipped: (_, by) => `${by} marked it as shipped`,
  delivered: (_, by) => `${by} marked it as delivered`,
  revealed: (_, by) => `${by} looked at the email and address`,
  printed: (_, by) => `${by} read the shipping address to pack or print it`,
  refund_requested: (amount, by) => (amount === null ? `${by} refunded the order` : `${by} refunded ${amount}`),
  refund_sent: withAmount('The payment provider accepted the refund'),
  refund_rejected: withAmount('The payment provider rejected the refund'),
  refunded: withAmount('Refunded in full'),
  disputed: withAmount('The buyer’s bank took the money back'),
  dispute_won: withAmount('The bank returned the money'),
  email_receipt: () => 'We emailed the receipt',
  email_shipped: () => 'We emailed the buyer that it is on its way',
  email_refund: () => 'We emailed the buyer about the refund',
}

/** The events of an order, oldest first. */
function OrderEvents({ events }: { events: readonly OrderEvent[] }) {
  return (
    <Panel title="Timeline">
      <Timeline
        events={events.map(({ kind, at, actor, amountCents, note }) => ({
          at,
          text: EVENT_TEXTS[kind](amountCents === null ? null : formatPrice(amountCents), actor ?? 'The team'),
          note,
        }))}
      />
    </Panel>
  )
}
