import type { Caller } from '../auth/current-user'
import type { PaymentIntent, PaymentRequest } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis } from '../lib/clock'
import { newId, randomSecret, sha256 } from '../lib/crypto'
import { limits } from '../limits'
import type { PaymentProvider } from '../payments/provider'
import { getProduct, priceChanged, soldOut, verifyTotalCents } from '../products/products'
import { EXPIRE_DUE } from './expiry'
import { ensureIntent } from './intents'
import { buyerKeys, findOpenOrder } from './open-order'
import { orderNotFound } from './orders'
import { promotionDiscount, resolvePromotion } from './promotion-codes'
import { RESERVED_PIECES, tooManyReserved } from './reservations'
import { type OrderChange, updateOrder } from './update-order'

/** Stock is kept for a buyer so long (ruling 23). */
export const RESERVATION_MS: Millis = 15 * MINUTE_MS

/** What a card payment must come to at least: the provider's rule. */
const MIN_CHARGE_CENTS = 50

type Buyer = {
  caller: Pick<Caller, 'userId' | 'email' | 'emailVerified'> | null
  checkoutKey: string | null
  /** What stands for the address that a visitor asks from. */
  ipHash: string
}
type CheckoutDeps = { db: Db; payments: PaymentProvider; at: Millis }

/**
 * Makes an order with its payment, or brings the one that the buyer has already to what they want now. The order's row
 * comes first and takes the stock; the provider is asked after that, by keys that make every repetition the same call.
 * @returns the payment, and the checkout key under which the order will be found again.
 * @throws AppError as the contract's row says.
 */
export async function prepareCheckout(
  { db, payments, at }: CheckoutDeps,
  request: PaymentRequest,
  buyer: Buyer,
): Promise<PaymentIntent & { checkoutKey: string }> {
  const checkoutKey = request.checkoutKey ?? buyer.checkoutKey ?? randomSecret()
  const userId = buyer.caller?.userId ?? null
  const keys = await buyerKeys(checkoutKey, userId)
  const holder = userId === null ? buyer.ipHash : `user ${userId}`
  const product = await getProduct(db, request.productId)
  for (let attempt = 1; ; attempt++) {
    const requestedOrder = await findRequestedOrder(db, request, { userId, at })
    const order = requestedOrder ?? (await findOpenOrder(db, { buyer: keys, productId: product.id, at }))
    const quantity = request.quantity ?? order?.quantity ?? 1
    const totalCents = verifyTotalCents(product, { quantity, amountDollars: request.amount })
    const promotion = await resolvePromotion(db, request.promotionCode, order?.promotionCode ?? null)
    const discountCents = promotionDiscount(promotion, totalCents, MIN_CHARGE_CENTS)
    if (totalCents - discountCents < MIN_CHARGE_CENTS)
      throw new AppError('bad_input', 'A card payment must come to at least $0.50.')
    const change: OrderChange = {
      quantity,
      unitPriceCents: product.priceCents,
      discountCents,
      promotionCode: promotion?.code ?? null,
      email: request.email,
      shippingAddress: request.shippingAddress,
      ...{ userId, holder, keyHash: keys.primary },
    }
    if (!order) {
      const email = request.email ?? (buyer.caller?.emailVerified ? buyer.caller.email : null)
      if (await placeOrder(db, { change: { ...change, email }, productId: product.id, payments, at })) continue
      // Nothing was written: another request of this buyer was faster, or there are too few.
      if (attempt < 4 && (await findOpenOrder(db, { buyer: keys, productId: product.id, at }))) continue
      const current = await getProduct(db, product.id)
      if (current.priceCents !== product.priceCents) throw priceChanged()
      throw current.stock < quantity ? soldOut(current.stock) : tooManyReserved(await countReserved(db, holder, at))
    }
    const paying = await ensureIntent({ db, payments }, order, request.clientSecret)
    const payment = await updateOrder({ db, payments, at }, paying, change)
    if (payment) return { ...payment, checkoutKey }
    // Somebody else changed the order meanwhile: look again, a few times.
    if (attempt >= 6) throw new AppError('conflict', 'This order was just changed in another tab. Please try again.')
  }
}

const countReserved = async (db: Db, holder: string, at: Millis): Promise<number> =>
  (
    await db.$client
      .prepare(`SELECT ${RESERVED_PIECES({ holder: '?1', at: '?2', but: "''" })} AS pieces`)
      .bind(holder, at)
      .first<{ pieces: number }>()
  )?.pieces ?? 0

/**
 * The order that the browser names, with the secret that shows that it is its own; null where it names none, or one
 * whose time is over or that is another account's who used this browser before, for which a new one is made.
 * @throws AppError `not_found`, `bad_input`, `order_paid`.
 */
async function findRequestedOrder(
  db: Db,
  { orderId, clientSecret, productId }: PaymentRequest,
  { userId, at }: { userId: number | null; at: Millis },
) {
  if (orderId === undefined) return null
  const hash = await sha256(clientSecret ?? '')
  const order = await findOpenOrder(db, { orderId, at })
  if (!order || order.clientSecretHash !== hash) throw orderNotFound()
  if (order.productId !== productId) throw new AppError('bad_input', 'That order is for another product.')
  if (order.status === 'paid' || order.status === 'refunded')
    throw new AppError('order_paid', 'This order has been paid already.')
  const belongsToOther = userId !== null && order.userId !== null && order.userId !== userId
  return order.status === 'expired' || belongsToOther ? null : order
}

type PlaceOrderInput = { change: OrderChange; productId: string; payments: PaymentProvider; at: Millis }

/** Writes the order's row and takes the stock, in one statement; false where there are too few or one stands open. */
async function placeOrder(db: Db, { change, productId, payments, at }: PlaceOrderInput): Promise<boolean> {
  const d1 = db.$client
  const { quantity, unitPriceCents, discountCents } = change
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
           AND ${RESERVED_PIECES({ holder: '?15', at: '?5', but: '?1' })} + ?3 <= ${limits.maxReservedUnits}
         ON CONFLICT DO NOTHING RETURNING id`,
      )
      .bind(
        newId('ord'),
        productId,
        quantity,
        discountCents,
        at,
        change.userId,
        change.keyHash,
        at + RESERVATION_MS,
        payments.provider,
        payments.live ? 0 : 1,
        change.promotionCode,
        change.email ?? null,
        change.shippingAddress ? JSON.stringify(change.shippingAddress) : null,
        unitPriceCents,
        change.holder,
      ),
  ])
  return row?.results.length === 1
}
