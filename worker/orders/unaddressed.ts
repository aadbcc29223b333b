import type { orders } from './orders.table'

// The checkout asks for an address and a mailbox before it charges. But whoever has a payment's secret can pay it at
// Stripe without us, and a product can be said to be sent after somebody has bought it: what is paid is paid.

/** SQL over an order's row: its money is being sent back, so that its goods are not to leave any more. */
export const GOES_BACK = '(orders.refund_wanted_at IS NOT NULL AND orders.refund_refused_at IS NULL)'

/** SQL over orders joined to products: paid, still to be sent, and there is no address, or no mailbox to ask for it. */
export const LACKS_ADDRESS = `(orders.status = 'paid' AND products.ships
  AND orders.fulfilment IN ('unfulfilled', 'packed') AND (orders.shipping_address IS NULL OR orders.email IS NULL) AND NOT ${GOES_BACK})`

type Row = typeof orders.$inferSelect
type Parcel = Pick<Row, 'status' | 'fulfilment' | 'shippingAddress' | 'email' | 'refundWantedAt' | 'refundRefusedAt'>

/** The same of one order. */
export const lacksAddress = (
  { status, fulfilment, refundWantedAt, refundRefusedAt, ...to }: Parcel,
  ships: boolean,
): boolean =>
  status === 'paid' &&
  (fulfilment === 'unfulfilled' || fulfilment === 'packed') &&
  (refundWantedAt === null || refundRefusedAt !== null) &&
  nowhereToGo(to, ships)

/** Nobody could send it: it is not to be paid like that. */
export const nowhereToGo = (to: Pick<Row, 'shippingAddress' | 'email'>, ships: boolean): boolean =>
  ships && (to.shippingAddress === null || to.email === null)

/** What its buyer reads on the receipt. */
export const NOWHERE =
  'Something is missing before we can send this. Please add it here, or write to us with the number of this order.'
