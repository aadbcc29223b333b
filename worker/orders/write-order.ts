import type { PaymentIntent, ShippingAddress, TaxLocation } from '../contract/checkout'
import type { Db } from '../db/client'
import { hasUseLeftSql, noUseLeftError } from '../discounts/discounts'
import { AppError } from '../lib/app-error'
import { MINUTE_MS, type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import type { EventDeps } from '../payments/payments'
import { priceChangedError, soldOutError, variantTitle } from '../products/products'
import { EXPIRE_DUE } from './expiry'
import {
  assignSumsSql,
  atCurrentPricesSql,
  inStockSql,
  jsonLinesSql,
  type OrderWithLines,
  orderSumFields,
  replaceLines,
  SUM_COLUMN_NAMES,
  selectSumsSql,
  sumsOf,
} from './order-lines'
import type { OrderTaxCalculator } from './order-tax'
import { isPayable } from './orders'
import { type PricedOrder, toIntentFields } from './price-order'
import {
  limitedUnitsHeldSql,
  type ReservationHolder,
  tooManyReservedError,
  withinLimitsSql,
} from './reservation-limits'

/** How long stock is reserved for an order. */
export const RESERVATION_MS: Millis = 15 * MINUTE_MS

export type CheckoutDeps = Pick<EventDeps, 'db' | 'payments' | 'secret' | 'origin'> & {
  calculateTax: OrderTaxCalculator | null
  at: Millis
}

/** Requested changes. A missing email or address leaves the order's unchanged. */
export type OrderChange = {
  priced: PricedOrder
  email: string | null | undefined
  shippingAddress: ShippingAddress | undefined
  /** The order's tax location after the change; null if something is shipped. */
  taxLocation: TaxLocation | null
  userId: number | null
  holder: ReservationHolder
  /** Hash of the key that identifies the order in later requests. */
  keyHash: string
  isCart: boolean
}

type StockRow = { available: number | null }

/** Available units of each line, including those that the order reserves. Binds ?1 lines, ?2 order. */
const SELECT_STOCK = `
  SELECT variant.stock + coalesce(reserved.held, 0) AS available
  FROM json_each(?1) line LEFT JOIN product_variants variant ON variant.id = line.value ->> 'variantId'
    LEFT JOIN order_lines reserved ON reserved.order_id = ?2 AND reserved.variant_id = variant.id
  ORDER BY line.key`

async function readStock(db: Db, lines: PricedOrder['lines'], orderId: string | null): Promise<(number | null)[]> {
  const { results } = await db.$client.prepare(SELECT_STOCK).bind(JSON.stringify(lines), orderId).all<StockRow>()
  return results.map(({ available }) => available)
}

/** Why an order could not be written: a changed price, a sold-out line (the first), a code without uses, or a limit. */
export async function failedWriteError(
  { db, at }: Pick<CheckoutDeps, 'db' | 'at'>,
  change: OrderChange,
  orderId: string | null,
): Promise<AppError> {
  const { priced, holder } = change
  const { lines, limitedUnits } = priced
  const current = await db.$client
    .prepare(`SELECT ${atCurrentPricesSql('?1')} AS hasCurrentPrices, ${inStockSql(jsonLinesSql('?1'), '?2')} AS isInStock,
         ${hasUseLeftSql(usageParams('?3', '?2'))} AS isCodeUsable`)
    .bind(JSON.stringify(lines), orderId, JSON.stringify({ ...orderValues(change), at }))
    .first<{ hasCurrentPrices: number; isInStock: number; isCodeUsable: number }>()
  if (!current?.hasCurrentPrices) return priceChangedError()
  if (current.isInStock && !current.isCodeUsable && priced.discountCode !== null)
    return noUseLeftError(db, priced.discountCode, {
      user: { userId: change.userId, email: change.email ?? null, ownsEmail: false, tier: null },
      orderId,
      at,
    })
  if (current.isInStock) return tooManyReservedError(db, holder, { at, except: orderId ?? '', quantity: limitedUnits })
  const available = await readStock(db, lines, orderId)
  const soldOutIndex = lines.findIndex(({ quantity }, i) => (available[i] ?? quantity) < quantity)
  const titleOf = (line: (typeof lines)[number] | undefined) =>
    line && lines.length > 1 ? variantTitle(line.productName, line.variantName) : null
  // Each line alone is in stock, but several need the same variant: a bundle and one of its items.
  if (soldOutIndex === -1) return soldOutError(0, titleOf(lines.at(-1)))
  return soldOutError(Math.max(0, available[soldOutIndex] ?? 0), titleOf(lines[soldOutIndex]))
}

/** Values of `orders` that a request sets: the JSON parameter of INSERT_ORDER and UPDATE_ORDER. */
const orderValues = ({
  priced,
  email,
  shippingAddress,
  taxLocation,
  userId,
  holder,
  keyHash,
  isCart,
}: OrderChange) => ({
  ...orderSumFields(priced.sums, priced.lines),
  missing: priced.missing,
  taxInputHash: priced.taxInputHash,
  shippingMethod: priced.shippingMethod === null ? null : JSON.stringify(priced.shippingMethod),
  discountCode: priced.discountCode,
  limitedUnits: priced.limitedUnits,
  email: email ?? null,
  shippingAddress: shippingAddress ? JSON.stringify(shippingAddress) : null,
  taxLocation: taxLocation && JSON.stringify(taxLocation),
  userId,
  account: holder.account,
  deviceHash: holder.deviceHash,
  networkHash: holder.networkHash,
  keyHash,
  isCart,
})

/**
 * Inserts the order with its lines and takes the stock in one batch. False if a price changed, the stock is too low,
 * the code has no use left, a limit is reached, or the buyer has an open order.
 */
export async function insertOrder({ db, payments, at }: CheckoutDeps, change: OrderChange): Promise<boolean> {
  const d1 = db.$client
  const orderId = newId('ord')
  const changeId = newId('chg')
  const isIntentOpen = change.priced.breakdown.totalCents > 0
  const values = {
    ...orderValues(change),
    orderId,
    changeId,
    provider: payments.provider,
    isTest: !payments.isLive,
    isIntentOpen,
  }
  const [, inserted] = await d1.batch([
    // Releases stock of expired orders that the five-minute job has not processed yet.
    d1.prepare(EXPIRE_DUE).bind(at),
    d1
      .prepare(INSERT_ORDER)
      .bind(JSON.stringify({ ...values, at, reservedUntil: at + RESERVATION_MS }), JSON.stringify(change.priced.lines)),
    ...replaceLines(d1, { orderId, changeId }, change.priced.lines),
  ])
  return inserted?.results.length === 1
}

const HOLDER_PARAMS = {
  holder: "?1 ->> 'account'",
  device_hash: "?1 ->> 'deviceHash'",
  network_hash: "?1 ->> 'networkHash'",
  at: "?1 ->> 'at'",
}

function usageParams(values: string, exceptOrder = `${values} ->> 'orderId'`) {
  const field = (name: string) => `${values} ->> '${name}'`
  return {
    code: field('discountCode'),
    exceptOrder,
    at: field('at'),
    userId: field('userId'),
    email: field('email'),
    networkHash: field('networkHash'),
  }
}
const USAGE_PARAMS = usageParams('?1')

// Raw SQL: the writing statement also checks prices, stock, uses of the code and limits. Binds ?1 values, ?2 lines.
const INSERT_ORDER = `
  INSERT INTO orders (id, change_id, ${SUM_COLUMN_NAMES},
    shipping_method, status, created_at, user_id,
    checkout_key_hash, is_cart, reserved_until,
    provider, is_test, intent_open, promotion_code,
    email, shipping_address, tax_location, missing,
    tax_input_hash, holder, device_hash, network_hash)
  SELECT ?1 ->> 'orderId', ?1 ->> 'changeId', ${selectSumsSql('?1')},
    ?1 ->> 'shippingMethod', 'pending', ?1 ->> 'at', ?1 ->> 'userId',
    ?1 ->> 'keyHash', ?1 ->> 'isCart', ?1 ->> 'reservedUntil',
    ?1 ->> 'provider', ?1 ->> 'isTest', ?1 ->> 'isIntentOpen', ?1 ->> 'discountCode',
    ?1 ->> 'email', ?1 ->> 'shippingAddress', ?1 ->> 'taxLocation', ?1 ->> 'missing',
    ?1 ->> 'taxInputHash', ?1 ->> 'account', ?1 ->> 'deviceHash', ?1 ->> 'networkHash'
  WHERE ${atCurrentPricesSql('?2')} AND ${inStockSql(jsonLinesSql('?2'), null)}
    AND ${hasUseLeftSql(USAGE_PARAMS)}
    AND ${withinLimitsSql("?1 ->> 'limitedUnits'", { ...HOLDER_PARAMS, except: "?1 ->> 'orderId'" })}
  ON CONFLICT DO NOTHING RETURNING id`

// The limits apply only when the quantity rises. An order that a visitor began and a user continues gets the user's
// key, or none if that key already has an open order. `held` is 0 until the batch's next statements take the stock.
const UPDATE_ORDER = `
  UPDATE orders SET ${assignSumsSql('?1')}, shipping_method = ?1 ->> 'shippingMethod', held = 0,
    change_id = ?1 ->> 'changeId', status = 'pending', intent_open = iif(?1 ->> 'totalCents' > 0, 1, intent_open),
    revision = ?1 ->> 'nextRevision', promotion_code = ?1 ->> 'discountCode', email = coalesce(?1 ->> 'email', email),
    shipping_address = coalesce(?1 ->> 'shippingAddress', shipping_address), tax_location = ?1 ->> 'taxLocation',
    missing = ?1 ->> 'missing', tax_input_hash = ?1 ->> 'taxInputHash', user_id = coalesce(user_id, ?1 ->> 'userId'),
    holder = coalesce(?1 ->> 'account', holder),
    device_hash = iif(?1 ->> 'limitedUnits' <= ${limitedUnitsHeldSql('orders.id')}, device_hash, ?1 ->> 'deviceHash'),
    network_hash = iif(?1 ->> 'limitedUnits' <= ${limitedUnitsHeldSql('orders.id')}, network_hash, ?1 ->> 'networkHash'),
    checkout_key_hash = CASE WHEN user_id IS NOT NULL OR ?1 ->> 'userId' IS NULL THEN checkout_key_hash
      WHEN EXISTS (SELECT 1 FROM orders other WHERE other.checkout_key_hash = ?1 ->> 'keyHash' AND other.id <> orders.id
        AND (other.product_id = orders.product_id OR (other.is_cart = 1 AND orders.is_cart = 1))
        AND other.status IN ('pending', 'failed')) THEN NULL ELSE ?1 ->> 'keyHash' END
  WHERE id = ?1 ->> 'orderId' AND revision = ?1 ->> 'revision' AND status IN ('pending', 'failed') AND paid_at IS NULL
    AND ${atCurrentPricesSql('?2')} AND ${inStockSql(jsonLinesSql('?2'), "?1 ->> 'orderId'")}
    AND ${hasUseLeftSql({ ...USAGE_PARAMS, userId: `coalesce(orders.user_id, ${USAGE_PARAMS.userId})`, email: `coalesce(${USAGE_PARAMS.email}, orders.email)` })}
    AND (?1 ->> 'limitedUnits' <= ${limitedUnitsHeldSql('orders.id')}
      OR (${withinLimitsSql("?1 ->> 'limitedUnits'", { ...HOLDER_PARAMS, except: 'orders.id' })}))
  RETURNING id`

/** Whether the order already has these lines, sums, code and delivery method. */
function hasSameContent({ order, lines }: OrderWithLines, priced: PricedOrder): boolean {
  const sums = sumsOf(order)
  const hasSameSums = (Object.keys(sums) as (keyof typeof sums)[]).every((key) => sums[key] === priced.sums[key])
  const hasSameLines =
    lines.length === priced.lines.length &&
    lines.every((line, index) =>
      (Object.keys(line) as (keyof typeof line)[]).every((key) => line[key] === priced.lines[index]?.[key]),
    )
  return (
    hasSameSums &&
    hasSameLines &&
    order.promotionCode === priced.discountCode &&
    order.shippingMethod?.id === priced.shippingMethod?.id
  )
}

type CurrentOrder = { revision: number; status: string }

/**
 * Updates the order, its lines and their stock. Null if the order was changed since it was read.
 * @throws AppError `price_changed`, `sold_out`, `discount_rejected`, `too_many_reserved`, `order_paid`, `closed`.
 */
export async function writeOrder(
  { db, at }: CheckoutDeps,
  { order, lines }: OrderWithLines,
  change: OrderChange,
): Promise<{ revision: number; intent: PaymentIntent } | null> {
  const d1 = db.$client
  const { priced } = change
  const isSameContent = hasSameContent({ order, lines }, priced)
  const revision = isSameContent ? order.revision : order.revision + 1
  const isUnchanged =
    isSameContent &&
    order.status === 'pending' &&
    change.email == null &&
    change.shippingAddress === undefined &&
    JSON.stringify(change.taxLocation) === JSON.stringify(order.taxLocation) &&
    priced.missing === order.missing &&
    priced.taxInputHash === order.taxInputHash &&
    (change.userId === null || order.userId !== null)
  const changeId = newId('chg')
  const values = {
    ...orderValues(change),
    at,
    orderId: order.id,
    changeId,
    revision: order.revision,
    nextRevision: revision,
  }
  const results = await d1.batch([
    ...(isUnchanged
      ? []
      : [
          d1.prepare(UPDATE_ORDER).bind(JSON.stringify(values), JSON.stringify(priced.lines)),
          ...replaceLines(d1, { orderId: order.id, changeId }, priced.lines),
        ]),
    d1.prepare('SELECT revision, status FROM orders WHERE id = ?1').bind(order.id),
    d1.prepare(SELECT_STOCK).bind(JSON.stringify(priced.lines), order.id),
  ])
  const [current] = (results.at(-2)?.results ?? []) as CurrentOrder[]
  if (!isUnchanged && results[0]?.results.length !== 1) {
    if (current && !isPayable(current.status))
      throw current.status === 'expired' ? orderExpiredError() : orderPaidError()
    if (current?.revision !== order.revision) return null
    const changeWithKnownBuyer = {
      ...change,
      userId: order.userId ?? change.userId,
      email: change.email ?? order.email,
    }
    throw await failedWriteError({ db, at }, changeWithKnownBuyer, order.id)
  }
  const stock = (results.at(-1)?.results ?? []) as StockRow[]
  const intent: PaymentIntent = {
    ...toIntentFields(
      priced,
      stock.map(({ available }) => available),
    ),
    clientSecret: null,
    orderId: order.id,
    status: 'pending',
    receiptUrl: null,
    reservedUntil: toIso(order.reservedUntil ?? 0),
  }
  return { revision, intent }
}

export const orderPaidError = () => new AppError('order_paid', 'This order has already been paid.')
const orderExpiredError = () => new AppError('closed', 'This order has expired. Please start again.')
