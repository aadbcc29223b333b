import type { ShippingAddress } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { buyerEmails } from './buyer-emails'
import { NEEDS_ADDRESS } from './missing-address'
import { getOrder } from './orders'

type OrderAccess = { id: string; secret: string; signingSecret: string; at: Millis }
type AddressInput = { email?: string | undefined; shippingAddress?: ShippingAddress | undefined }

// What is there stays: whoever has the link of a receipt may complete it, and not send the parcel elsewhere. Of a buyer
// whose account is gone it is forgotten again like what they gave before.
const ADD_ADDRESS = `
  UPDATE orders SET email = coalesce(email, ?2), shipping_address = coalesce(shipping_address, ?3), address_added_at = ?4,
    forget_wanted_at = iif(EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NOT NULL),
      coalesce(forget_wanted_at, ?4), forget_wanted_at)
  WHERE id IN (SELECT orders.id FROM orders JOIN products ON products.id = orders.product_id
      WHERE orders.id = ?1 AND ${NEEDS_ADDRESS})
    AND coalesce(email, ?2) IS NOT NULL AND coalesce(shipping_address, ?3) IS NOT NULL
  RETURNING id`

/**
 * Writes down what a paid order lacks to be sent, for whoever has its secret. Who had given no mailbox gets the receipt
 * now.
 * @throws AppError `not_found`; `bad_input` while something is still missing; `conflict` where nothing is, or the parcel
 * has left.
 */
export async function addAddress(
  { db, origin }: { db: Db; origin: string },
  access: OrderAccess,
  { email, shippingAddress }: AddressInput,
): Promise<void> {
  const { id, signingSecret, at } = access
  const order = await getOrder(db, access)
  const receiptEmails =
    order.email === null ? await buyerEmails(db, { orderId: id, signingSecret, origin, at, paidAt: at, email }) : []
  const [added] = await db.$client.batch([
    db.$client
      .prepare(ADD_ADDRESS)
      .bind(id, email ?? null, shippingAddress ? JSON.stringify(shippingAddress) : null, at),
    ...receiptEmails,
  ])
  if (added?.results.length === 1) return
  if ((await getOrder(db, access)).addressMissing)
    throw new AppError('bad_input', 'Please give your email and where this goes to.')
  throw new AppError('conflict', 'This order lacks nothing, or is on its way already. Please write to us to change it.')
}
