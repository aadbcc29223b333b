import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Caller } from '../auth/current-user'
import type { IntentRequest, PaymentIntent } from '../contract/checkout'
import type { ShippingAddress } from '../contract/orders'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { newId, randomSecret, sha256 } from '../lib/crypto'
import { limits } from '../limits'
import type { PaymentProvider } from '../payments/provider'
import { getProduct, priceChanged, soldOut, verifyTotalCents } from '../products/products'
import { EXPIRE_DUE } from './expiry'
import { changeIntent, ensureIntent, type OrderWithIntent } from './intents'
import { isUnpaid, orderNotFound, statusAt } from './orders'
import { orders } from './orders.table'
import { promotionDiscount, resolvePromotion } from './promotion-codes'

/** How long stock is reserved for an order. */
export const RESERVATION_MS: Millis = 15 * MINUTE_MS

/** The provider's minimum for a card payment. */
const MIN_CHARGE_CENTS = 50

type CheckoutDeps = { db: Db; payments: PaymentProvider; at: Millis }
type Order = typeof orders.$inferSelect

type Buyer = {
  caller: Pick<Caller, 'userId' | 'email' | 'emailVerified'> | null
  checkoutKey: string | null
  deviceHash: string
  networkHash: string
}

/** Who reserves stock. `account` is stored in the column `holder`. */
type Holder = { account: string | null; deviceHash: string; networkHash: string }

/** Requested changes. An email or address that is missing leaves the order's unchanged. */
type OrderChange = {
  quantity: number
  unitPriceCents: number
  discountCents: number
  promotionCode: string | null
  email: string | null | undefined
  shippingAddress: ShippingAddress | undefined
  userId: number | null
  holder: Holder
  /** Finds the order again. */
  keyHash: string
}

/**
 * Creates an order with its payment intent, or updates the buyer's open order. The order's row is written first and
 * takes the stock; the provider is called after that, with idempotency keys.
 * @returns the intent, and the checkout key that finds the order again.
 * @throws AppError as the contract's endpoint says.
 */
export async function prepareCheckout(
  { db, payments, at }: CheckoutDeps,
  request: IntentRequest,
  buyer: Buyer,
): Promise<PaymentIntent & { checkoutKey: string }> {
  const checkoutKey = request.checkoutKey ?? buyer.checkoutKey ?? randomSecret()
  const userId = buyer.caller?.userId ?? null
  const keys = await buyerKeys(checkoutKey, userId)
  const { deviceHash, networkHash } = buyer
  const holder = { account: userId === null ? null : `user ${userId}`, deviceHash, networkHash }
  const product = await getProduct(db, request.productId)
  const findOpenOrder = () => findOrderByKeys(db, keys, product.id, at)
  for (let attempt = 1; ; attempt++) {
    const order = (await findRequestedOrder(db, request, { userId, at })) ?? (await findOpenOrder())
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
      userId,
      holder,
      keyHash: keys.primary,
    }
    if (!order) {
      const email = request.email ?? (buyer.caller?.emailVerified ? buyer.caller.email : null)
      if (await insertOrder({ db, payments, at }, product.id, { ...change, email })) continue
      // Not inserted: the price changed, the stock is too low, a limit is reached, or a concurrent request of this buyer
      // opened an order.
      if (attempt < 4 && (await findOpenOrder())) continue
      const current = await getProduct(db, product.id)
      if (current.priceCents !== product.priceCents) throw priceChanged()
      throw current.stock < quantity
        ? soldOut(current.stock)
        : tooManyReserved(await countReserved(db, holder, { at, except: '' }), quantity)
    }
    const withIntent = await ensureIntent({ db, payments }, order, request.clientSecret)
    const intent = await updateOrder({ db, payments, at }, withIntent, change)
    if (intent) return { ...intent, checkoutKey }
    // A concurrent request changed the order.
    if (attempt >= 6) throw new AppError('conflict', 'This order was just changed in another tab. Please try again.')
  }
}

/**
 * Keys that find a buyer's open order: the browser's checkout key, combined with the account if logged in, so users of
 * one browser have separate orders. A user who logs in continues the order of the `visitor` key.
 */
type BuyerKeys = { primary: string; visitor: string }

async function buyerKeys(checkoutKey: string, userId: number | null): Promise<BuyerKeys> {
  const visitor = await sha256(checkoutKey)
  return { visitor, primary: userId === null ? visitor : await sha256(`${checkoutKey} of user ${userId}`) }
}

async function findOrderByKeys(db: Db, keys: BuyerKeys, productId: string, at: Millis): Promise<Order | null> {
  const rows = await db
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.checkoutKeyHash, [keys.primary, keys.visitor]),
        eq(orders.productId, productId),
        inArray(orders.status, ['pending', 'failed']),
        gt(orders.reservedUntil, at),
      ),
    )
  return rows.find(({ checkoutKeyHash }) => checkoutKeyHash === keys.primary) ?? rows[0] ?? null
}

/**
 * The order named by the request, verified by its client secret. Null if none is named, it has expired, or it belongs to
 * another account that used this browser: a new one is created then.
 * @throws AppError `not_found`, `bad_input`, `order_paid`.
 */
async function findRequestedOrder(
  db: Db,
  { orderId, clientSecret, productId }: IntentRequest,
  { userId, at }: { userId: number | null; at: Millis },
): Promise<Order | null> {
  if (orderId === undefined) return null
  const hash = await sha256(clientSecret ?? '')
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  if (!order || order.clientSecretHash !== hash) throw orderNotFound()
  if (order.productId !== productId) throw new AppError('bad_input', 'That order is for another product.')
  if (order.status === 'paid' || order.status === 'refunded') throw orderPaid()
  const belongsToOtherUser = userId !== null && order.userId !== null && order.userId !== userId
  return statusAt(order, at) === 'expired' || belongsToOtherUser ? null : order
}

/** Limits of reserved units, from narrow to wide. */
const RESERVATION_LIMITS = [
  { column: 'device_hash', max: limits.maxReservedUnitsPerDevice },
  { column: 'holder', max: limits.maxReservedUnitsPerAccount },
  { column: 'network_hash', max: limits.maxReservedUnitsPerNetwork },
] as const
type LimitedColumn = (typeof RESERVATION_LIMITS)[number]['column']

/** Names of SQL parameters; `except` is an order. */
type ReservationParams = Record<LimitedColumn | 'at' | 'except', string>

/** SQL: units reserved at `at` in other orders than `except` that have the same value in `column`. */
const reservedUnitsSql = (column: LimitedColumn, params: ReservationParams) => `
  (SELECT coalesce(sum(r.held), 0) FROM orders r
   WHERE r.${column} = ${params[column]} AND r.status = 'pending' AND r.reserved_until > ${params.at} AND r.id <> ${params.except})`

/** SQL condition: `quantity` more units are within all limits. */
const withinLimitsSql = (quantity: string, params: ReservationParams) =>
  RESERVATION_LIMITS.map(({ column, max }) => `${reservedUnitsSql(column, params)} + ${quantity} <= ${max}`).join(
    ' AND ',
  )

type ReservedUnits = Record<LimitedColumn, number>

const COUNT_PARAMS = { holder: '?1', device_hash: '?2', network_hash: '?3', at: '?4', except: '?5' }
const COUNT_RESERVED = `SELECT ${RESERVATION_LIMITS.map(({ column }) => `${reservedUnitsSql(column, COUNT_PARAMS)} AS ${column}`).join(', ')}`

async function countReserved(
  db: Db,
  { account, deviceHash, networkHash }: Holder,
  { at, except }: { at: Millis; except: string },
): Promise<ReservedUnits> {
  const statement = db.$client.prepare(COUNT_RESERVED).bind(account, deviceHash, networkHash, at, except)
  return (await statement.first<ReservedUnits>()) ?? { holder: 0, device_hash: 0, network_hash: 0 }
}

/** The message of the limit that `quantity` more units exceed. */
function tooManyReserved(reserved: ReservedUnits, quantity: number): AppError {
  const exceeded = RESERVATION_LIMITS.find(({ column, max }) => reserved[column] + quantity > max)
  const { column, max } = exceeded ?? RESERVATION_LIMITS[0]
  const message =
    column === 'network_hash'
      ? 'Too many items are already reserved from your network. Please try again in 15 minutes, or from another network.'
      : reserved[column] === 0
        ? `You can reserve at most ${max} items at a time. Please order fewer.`
        : `You already have ${reserved[column]} items reserved, and the limit is ${max}. Please pay for those first, or order fewer.`
  return new AppError('too_many_reserved', message)
}

/**
 * Inserts the order and takes the stock in one statement. False if the price changed, the stock is too low, a limit is
 * reached, or the buyer has an open order.
 */
async function insertOrder({ db, payments, at }: CheckoutDeps, productId: string, change: OrderChange) {
  const d1 = db.$client
  const { quantity, discountCents, userId, holder } = change
  const [, inserted] = await d1.batch([
    // Releases stock of expired orders before the scheduled job does.
    d1.prepare(`${EXPIRE_DUE} AND product_id = ?2`).bind(at, productId),
    d1
      .prepare(
        `INSERT INTO orders (id, product_id, quantity, unit_price_cents, discount_cents, amount_cents, status, created_at,
           user_id, checkout_key_hash, held, reserved_until, provider, is_test, intent_open, promotion_code, email,
           shipping_address, holder, device_hash, network_hash)
         SELECT ?1, p.id, ?3, p.price_cents, ?4, ?3 * p.price_cents - ?4, 'pending', ?5, ?6, ?7, ?3, ?8, ?9, ?10, 1, ?11, ?12, ?13, ?15,
           ?16, ?17
         FROM products p WHERE p.id = ?2 AND p.stock >= ?3 AND p.price_cents = ?14
           AND ${withinLimitsSql('?3', { holder: '?15', device_hash: '?16', network_hash: '?17', at: '?5', except: '?1' })}
         ON CONFLICT DO NOTHING RETURNING id`,
      )
      .bind(
        newId('ord'),
        productId,
        quantity,
        discountCents,
        at,
        userId,
        change.keyHash,
        at + RESERVATION_MS,
        payments.provider,
        payments.live ? 0 : 1,
        change.promotionCode,
        change.email ?? null,
        change.shippingAddress ? JSON.stringify(change.shippingAddress) : null,
        change.unitPriceCents,
        holder.account,
        holder.deviceHash,
        holder.networkHash,
      ),
  ])
  return inserted?.results.length === 1
}

// Raw SQL: stock and limits are checked atomically, the limits only when the quantity rises. A user who continues a
// visitor's order takes it over under their own key, unless that key has an open order already.
const UPDATE_ORDER = `
  UPDATE orders SET quantity = ?3, unit_price_cents = ?4, discount_cents = ?5, amount_cents = ?3 * ?4 - ?5, held = ?3,
    status = 'pending', revision = ?6, promotion_code = ?7, email = coalesce(?8, email),
    shipping_address = coalesce(?9, shipping_address), user_id = coalesce(user_id, ?10),
    holder = coalesce(?11, holder), device_hash = iif(?3 <= held, device_hash, ?14),
    network_hash = iif(?3 <= held, network_hash, ?15), checkout_key_hash = CASE WHEN user_id IS NOT NULL OR ?10 IS NULL THEN checkout_key_hash
      WHEN EXISTS (SELECT 1 FROM orders other WHERE other.checkout_key_hash = ?12 AND other.id <> orders.id
        AND other.product_id = orders.product_id AND other.status IN ('pending', 'failed')) THEN NULL ELSE ?12 END
  WHERE id = ?1 AND revision = ?2 AND status IN ('pending', 'failed') AND paid_at IS NULL
    AND (SELECT stock FROM products WHERE id = orders.product_id) + held >= ?3
    AND (?3 <= held OR (${withinLimitsSql('?3', { holder: '?11', device_hash: '?14', network_hash: '?15', at: '?13', except: 'orders.id' })}))
  RETURNING id`

type CurrentState = { revision: number; status: string; available: number }
const SELECT_STATE = `SELECT o.revision, o.status, p.stock + o.held AS available
  FROM orders o JOIN products p ON p.id = o.product_id WHERE o.id = ?1`

/**
 * Updates the order and its stock, then the amount at the provider. A declined order takes its stock again. Null if the
 * order was changed since it was read.
 * @throws AppError `sold_out`, `too_many_reserved`, `order_paid`, `payment_under_way`, `closed`, `unavailable`.
 */
async function updateOrder(
  { db, payments, at }: CheckoutDeps,
  { order, clientSecret }: OrderWithIntent,
  change: OrderChange,
): Promise<PaymentIntent | null> {
  const d1 = db.$client
  const amountCents = change.quantity * change.unitPriceCents - change.discountCents
  const isSameAmount = amountCents === order.amountCents && change.quantity === order.quantity
  const revision = isSameAmount ? order.revision : order.revision + 1
  const isUnchanged =
    isSameAmount &&
    order.status === 'pending' &&
    change.discountCents === order.discountCents &&
    change.promotionCode === order.promotionCode &&
    change.email == null &&
    change.shippingAddress === undefined &&
    (change.userId === null || order.userId !== null)
  const update = d1
    .prepare(UPDATE_ORDER)
    .bind(
      order.id,
      order.revision,
      change.quantity,
      change.unitPriceCents,
      change.discountCents,
      revision,
      change.promotionCode,
      change.email ?? null,
      change.shippingAddress ? JSON.stringify(change.shippingAddress) : null,
      change.userId,
      change.holder.account,
      change.keyHash,
      at,
      change.holder.deviceHash,
      change.holder.networkHash,
    )
  const results = await d1.batch([...(isUnchanged ? [] : [update]), d1.prepare(SELECT_STATE).bind(order.id)])
  const [current] = (results.at(-1)?.results ?? []) as CurrentState[]
  if (!isUnchanged && results[0]?.results.length !== 1) {
    if (current && !isUnpaid(current.status)) throw current.status === 'expired' ? orderExpired() : orderPaid()
    if (current?.revision !== order.revision) return null
    throw current.available < change.quantity
      ? soldOut(Math.max(0, current.available))
      : tooManyReserved(await countReserved(db, change.holder, { at, except: order.id }), change.quantity)
  }
  if (order.intentRevision < revision) await changeIntent({ db, payments }, order, { revision, amountCents })
  return {
    clientSecret,
    orderId: order.id,
    amountCents,
    quantity: change.quantity,
    available: current?.available ?? change.quantity,
    unitPriceCents: change.unitPriceCents,
    discountCents: change.discountCents,
    promotionCode: change.promotionCode,
    reservedUntil: toIso(order.reservedUntil ?? 0),
  }
}

const orderPaid = () => new AppError('order_paid', 'This order has already been paid.')
const orderExpired = () => new AppError('closed', 'This order has expired. Please start again.')
