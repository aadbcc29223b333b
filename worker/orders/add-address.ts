import type { ShippingAddress } from '../contract/checkout'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { buyerEmails } from './emails'
import { getOrder, NEEDS_ADDRESS, type OrderAccess } from './orders'

type AddressInput = { email?: string | undefined; shippingAddress?: ShippingAddress | undefined }

// Existing values are not replaced, so that the receipt link cannot redirect the shipment. If the account is erased,
// the address is erased later like the order's other data. Raw SQL: condition and update are atomic.
const ADD_ADDRESS = `
  UPDATE orders SET email = coalesce(email, ?2), shipping_address = coalesce(shipping_address, ?3), address_added_at = ?4,
    forget_wanted_at = iif(EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NOT NULL),
      coalesce(forget_wanted_at, ?4), forget_wanted_at)
  WHERE id = ?1 AND ${NEEDS_ADDRESS}
    AND coalesce(email, ?2) IS NOT NULL AND coalesce(shipping_address, ?3) IS NOT NULL
  RETURNING id`

/**
 * Adds the missing address or email of a paid order. An order that had no email gets its receipt now.
 * @throws AppError `not_found`; `bad_input` while something is still missing; `conflict` if nothing is missing, or the
 *   order is unpaid, sent or being refunded.
 */
export async function addAddress(
  { db, secret, origin }: Pick<Deps, 'db' | 'secret' | 'origin'>,
  access: OrderAccess,
  { email, shippingAddress }: AddressInput,
): Promise<void> {
  const { id, at } = access
  const order = await getOrder(db, access)
  const receiptEmails =
    order.email === null ? await buyerEmails({ db, secret, origin }, { orderId: id, at, paidAt: at, email }) : []
  const [added] = await db.$client.batch([
    db.$client
      .prepare(ADD_ADDRESS)
      .bind(id, email ?? null, shippingAddress ? JSON.stringify(shippingAddress) : null, at),
    ...receiptEmails,
  ])
  if (added?.results.length === 1) return
  if ((await getOrder(db, access)).addressMissing)
    throw new AppError('bad_input', 'Please enter your email and the shipping address.')
  throw new AppError('conflict', 'Nothing can be added to this order now. Please write to us to change it.')
}
