import type { orders } from './orders.table'

// The checkout asks for an address and a mailbox before it charges. But whoever has a payment's secret can pay it at
// Stripe without us, and a product can be said to be sent after somebody has bought it: what is paid is paid.

/** SQL over orders joined to products: paid, still to be sent, and there is no address, or no mailbox to ask for it. */
export const LACKS_ADDRESS = `(orders.status = 'paid' AND products.ships
  AND orders.fulfilment IN ('unfulfilled', 'packed') AND (orders.shipping_address IS NULL OR orders.email IS NULL))`

type Parcel = Pick<typeof orders.$inferSelect, 'status' | 'fulfilment' | 'shippingAddress' | 'email'>

/** The same of one order. */
export const lacksAddress = ({ status, fulfilment, ...to }: Parcel, ships: boolean): boolean =>
  status === 'paid' && (fulfilment === 'unfulfilled' || fulfilment === 'packed') && nowhereToGo(to, ships)

/** Nobody could send it: it is not to be paid like that. */
export const nowhereToGo = (to: Pick<Parcel, 'shippingAddress' | 'email'>, ships: boolean): boolean =>
  ships && (to.shippingAddress === null || to.email === null)

/** What its buyer reads on the receipt. */
export const NOWHERE =
  'We do not know where to send this. Please write to us with the number of this order and your address.'
