import type { ShippingAddress } from '../contract/orders'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { buyerMails } from './notify'
import { orderFor } from './orders'
import { LACKS_ADDRESS } from './unaddressed'

type Asked = { id: string; secret: string; signingSecret: string; at: Millis }
type Given = { email?: string | undefined; shippingAddress?: ShippingAddress | undefined }

// What is there stays: whoever has the link of a receipt may complete it, and not send the parcel elsewhere. Of a buyer
// whose account is gone it is forgotten again like what they gave before.
const ADD = `
  UPDATE orders SET email = coalesce(email, ?2), shipping_address = coalesce(shipping_address, ?3), address_added_at = ?4,
    forget_wanted_at = iif(EXISTS (SELECT 1 FROM users WHERE users.id = orders.user_id AND erased_at IS NOT NULL),
      coalesce(forget_wanted_at, ?4), forget_wanted_at)
  WHERE id IN (SELECT orders.id FROM orders JOIN products ON products.id = orders.product_id
      WHERE orders.id = ?1 AND ${LACKS_ADDRESS})
    AND coalesce(email, ?2) IS NOT NULL AND coalesce(shipping_address, ?3) IS NOT NULL
  RETURNING id`

/**
 * Writes down what a paid order lacks to be sent, for whoever has its secret. Who had given no mailbox gets the receipt
 * now.
 * @throws Refused `not_found`; `bad_input` while something is still missing; `conflict` where nothing is, or the parcel
 * has left.
 */
export async function addAddress(
  { db, origin }: { db: Db; origin: string },
  asked: Asked,
  { email, shippingAddress }: Given,
): Promise<void> {
  const { id, signingSecret, at } = asked
  const order = await orderFor(db, asked)
  const letters =
    order.email === null ? await buyerMails(db, { orderId: id, signingSecret, origin, at, paidAt: at, email }) : []
  const [added] = await db.$client.batch([
    db.$client.prepare(ADD).bind(id, email ?? null, shippingAddress ? JSON.stringify(shippingAddress) : null, at),
    ...letters,
  ])
  if (added?.results.length === 1) return
  if ((await orderFor(db, asked)).addressMissing)
    throw new Refused('bad_input', 'Please give your email and where this goes to.')
  throw new Refused('conflict', 'This order lacks nothing, or is on its way already. Please write to us to change it.')
}
