import type { Caller } from '../auth/people'
import type { PaymentIntent, PaymentRequest } from '../contract/shop'
import type { Db } from '../db/client'
import { MINUTE, type Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import { randomSecret, sha256 } from '../lib/secret'
import { limits } from '../limits'
import type { Payments } from '../payments/provider'
import { agreedPrice, priceChanged, productOf, soldOut } from '../shop/shop'
import { changed, type Wish } from './change'
import { EXPIRE_DUE } from './expiry'
import { buyerKeys, openOrder } from './open-order'
import { unknownOrder } from './orders'
import { discountOf, promotionFor } from './promotion-codes'
import { withIntent } from './provider-calls'
import { RESERVED, tooManyReserved } from './reservations'

/** Stock is kept for a buyer so long (ruling 23). */
export const RESERVATION: Millis = 15 * MINUTE

/** What a card payment must come to at least: the provider's rule. */
const LEAST_CENTS = 50

type Buyer = {
  caller: Pick<Caller, 'userId' | 'email' | 'emailVerified'> | null
  checkoutKey: string | null
  /** What stands for the address that a visitor asks from. */
  address: string
}
type Asked = { db: Db; payments: Payments; at: Millis }

/**
 * Makes an order with its payment, or brings the one that the buyer has already to what they want now. The order's row
 * comes first and takes the stock; the provider is asked after that, by keys that make every repetition the same call.
 * @returns the payment, and the checkout key under which the order will be found again.
 * @throws Refused as the contract's row says.
 */
export async function prepareCheckout(
  { db, payments, at }: Asked,
  request: PaymentRequest,
  buyer: Buyer,
): Promise<PaymentIntent & { checkoutKey: string }> {
  const checkoutKey = request.checkoutKey ?? buyer.checkoutKey ?? randomSecret()
  const userId = buyer.caller?.userId ?? null
  const keys = await buyerKeys(checkoutKey, userId)
  const holder = userId === null ? buyer.address : `user ${userId}`
  const product = await productOf(db, request.productId)
  for (let tries = 1; ; tries++) {
    const named = await namedOrder(db, request, { userId, at })
    const order = named ?? (await openOrder(db, { buyer: keys, productId: product.id, at }))
    const quantity = request.quantity ?? order?.quantity ?? 1
    const totalCents = agreedPrice(product, { quantity, amountDollars: request.amount })
    const promotion = await promotionFor(db, request.promotionCode, order?.promotionCode ?? null)
    const discountCents = discountOf(promotion, totalCents, LEAST_CENTS)
    if (totalCents - discountCents < LEAST_CENTS)
      throw new Refused('bad_input', 'A card payment must come to at least $0.50.')
    const wish: Wish = {
      quantity,
      unitPriceCents: product.priceCents,
      discountCents,
      promotionCode: promotion?.code ?? null,
      email: request.email,
      shippingAddress: request.shippingAddress,
      ...{ userId, holder, keyHash: keys.own },
    }
    if (!order) {
      const email = request.email ?? (buyer.caller?.emailVerified ? buyer.caller.email : null)
      if (await placed(db, { wish: { ...wish, email }, productId: product.id, payments, at })) continue
      // Nothing was written: another request of this buyer was faster, or there are too few.
      if (tries < 4 && (await openOrder(db, { buyer: keys, productId: product.id, at }))) continue
      const now = await productOf(db, product.id)
      if (now.priceCents !== product.priceCents) throw priceChanged()
      throw now.stock < quantity ? soldOut(now.stock) : tooManyReserved(await reservedBy(db, holder, at))
    }
    const paying = await withIntent({ db, payments }, order, request.clientSecret)
    const done = await changed({ db, payments, at }, paying, wish)
    if (done) return { ...done, checkoutKey }
    // Somebody else changed the order meanwhile: look again, a few times.
    if (tries >= 6) throw new Refused('conflict', 'This order was just changed in another tab. Please try again.')
  }
}

const reservedBy = async (db: Db, holder: string, at: Millis): Promise<number> =>
  (
    await db.$client
      .prepare(`SELECT ${RESERVED({ holder: '?1', at: '?2', but: "''" })} AS pieces`)
      .bind(holder, at)
      .first<{ pieces: number }>()
  )?.pieces ?? 0

/**
 * The order that the browser names, with the secret that shows that it is its own; null where it names none, or one
 * whose time is over or that is another account's who used this browser before, for which a new one is made.
 * @throws Refused `not_found`, `bad_input`, `order_paid`.
 */
async function namedOrder(
  db: Db,
  { orderId, clientSecret, productId }: PaymentRequest,
  { userId, at }: { userId: number | null; at: Millis },
) {
  if (orderId === undefined) return null
  const hash = await sha256(clientSecret ?? '')
  const order = await openOrder(db, { orderId, at })
  if (!order || order.clientSecretHash !== hash) throw unknownOrder()
  if (order.productId !== productId) throw new Refused('bad_input', 'That order is for another product.')
  if (order.status === 'paid' || order.status === 'refunded')
    throw new Refused('order_paid', 'This order has been paid already.')
  const isAnothers = userId !== null && order.userId !== null && order.userId !== userId
  return order.status === 'expired' || isAnothers ? null : order
}

type Placing = { wish: Wish; productId: string; payments: Payments; at: Millis }

/** Writes the order's row and takes the stock, in one statement; false where there are too few or one stands open. */
async function placed(db: Db, { wish, productId, payments, at }: Placing): Promise<boolean> {
  const d1 = db.$client
  const { quantity, unitPriceCents, discountCents } = wish
  const [, row] = await d1.batch([
    // What is held by orders whose time is over is free: nobody waits for the sweep.
    d1.prepare(`${EXPIRE_DUE} AND product_id = ?2`).bind(at, productId),
    d1
      .prepare(
        `INSERT INTO orders (id, product_id, quantity, unit_price_cents, discount_cents, amount_cents, status, created_at,
           user_id, checkout_key_hash, held, reserved_until, provider, is_test, intent_open, promotion_code, email,
           shipping_address, holder)
         SELECT ?1, p.id, ?3, p.price_cents, ?4, ?3 * p.price_cents - ?4, 'pending', ?5, ?6, ?7, ?3, ?8, ?9, ?10, 1, ?11, ?12, ?13, ?15
         FROM products p WHERE p.id = ?2 AND p.stock >= ?3 AND p.price_cents = ?14
           AND ${RESERVED({ holder: '?15', at: '?5', but: '?1' })} + ?3 <= ${limits.piecesReserved}
         ON CONFLICT DO NOTHING RETURNING id`,
      )
      .bind(
        newId('ord'),
        productId,
        quantity,
        discountCents,
        at,
        wish.userId,
        wish.keyHash,
        at + RESERVATION,
        payments.provider,
        payments.live ? 0 : 1,
        wish.promotionCode,
        wish.email ?? null,
        wish.shippingAddress ? JSON.stringify(wish.shippingAddress) : null,
        unitPriceCents,
        wish.holder,
      ),
  ])
  return row?.results.length === 1
}
