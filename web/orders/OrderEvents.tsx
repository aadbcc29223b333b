import type { OrderEvent } from '../../worker/contract/orders'
import { Panel } from '../admin/Panel'
import { Timeline } from '../admin/Timeline'
import { formatPrice } from '../lib/format'

/** 'Paid: $89.00', or 'Paid' for an event without an amount. */
const withAmount = (text: string) => (amount: string | null) => (amount === null ? text : `${text}: ${amount}`)

/** The text of each kind of event; `by` is the admin's name. */
const EVENT_TEXTS: Readonly<Record<OrderEvent['kind'], (amount: string | null, by: string) => string>> = {
  placed: () => 'The buyer opened the checkout',
  paid: withAmount('Paid'),
  address_added: () => 'The buyer added the missing address',
  unfulfilled: (_, by) => `${by} put it back under To pack`,
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
  email_shipped: () => 'We emailed that it is on its way',
  email_refund: () => 'We emailed about the refund',
}

/** The events of an order, oldest first. */
export function OrderEvents({ events }: { events: readonly OrderEvent[] }) {
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
