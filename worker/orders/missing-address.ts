import type { orders } from './orders.table'

// The checkout asks for an address and a mailbox before it charges. But whoever has a payment's secret can pay it at
// Stripe without us, and a product can be said to be sent after somebody has bought it: what is paid is paid.

/** SQL over an order's row: its money is being sent back, so that its goods are not to leave any more. */
export const REFUND_PENDING = '(orders.refund_wanted_at IS NOT NULL AND orders.refund_refused_at IS NULL)'

/** SQL over orders joined to products: paid, still to be sent, and there is no address, or no mailbox to ask for it. */
export const NEEDS_ADDRESS = `(orders.status = 'paid' AND products.ships
  AND orders.fulfilment IN ('unfulfilled', 'packed') AND (orders.shipping_address IS NULL OR orders.email IS NULL) AND NOT ${REFUND_PENDING})`

type Row = typeof orders.$inferSelect
type Shipment = Pick<Row, 'status' | 'fulfilment' | 'shippingAddress' | 'email' | 'refundWantedAt' | 'refundRefusedAt'>

/** The same of one order. */
export const needsAddress = (
  { status, fulfilment, refundWantedAt, refundRefusedAt, ...destination }: Shipment,
  ships: boolean,
): boolean =>
  status === 'paid' &&
  (fulfilment === 'unfulfilled' || fulfilment === 'packed') &&
  (refundWantedAt === null || refundRefusedAt !== null) &&
  isUndeliverable(destination, ships)

/** Nobody could send it: it is not to be paid like that. */
export const isUndeliverable = (destination: Pick<Row, 'shippingAddress' | 'email'>, ships: boolean): boolean =>
  ships && (destination.shippingAddress === null || destination.email === null)

/** What its buyer reads on the receipt. */
export const ADDRESS_MISSING_MESSAGE =
  'Something is missing before we can send this. Please add it here, or write to us with the number of this order.'
