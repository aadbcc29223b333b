import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Caller } from '../auth/current-user'
import type { IntentRequest, PaymentIntent } from '../contract/checkout'
import type { Db } from '../db/client'
import type { FormUser } from '../email/email-quotas'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { randomSecret, sha256 } from '../lib/crypto'
import { normalizeKey } from '../lib/email'
import { loadShop } from '../shop-settings/shop-settings'
import { payFreeOrder } from './free-orders'
import { changeIntent, ensureIntent, type OrderWithIntent } from './intents'
import { findOrdersWithLines, findOrderWithLines, type OrderWithLines } from './order-lines'
import { orderNotFoundError, receiptPath, statusAt } from './orders'
import { orders } from './orders.table'
import { checkChargeable, priceOrder, resolveLines } from './price-order'
import {
  type CheckoutDeps,
  failedWriteError,
  insertOrder,
  type OrderChange,
  orderPaidError,
  writeOrder,
} from './write-order'

/** Passes of `prepareCheckout`. Another pass reads the order again after this or a concurrent request wrote it. */
const MAX_PASSES = 6
/** After this many passes a failed insert is an error, even if a concurrent request has opened an order. */
const MAX_INSERT_PASSES = 4

type Buyer = {
  caller: Pick<Caller, 'userId' | 'email' | 'emailVerified' | 'tier'> | null
  checkoutKey: string | null
  deviceHash: string
  network: string
  networkHash: string
}

/**
 * Creates an order with its payment intent, or updates the buyer's open order. The order's row is written first and
 * reserves the stock; then the provider is called, with idempotency keys.
 * @returns the intent, and the checkout key that identifies the order in later requests.
 * @throws AppError as the contract's endpoint says.
 */
export async function prepareCheckout(
  deps: CheckoutDeps,
  request: IntentRequest,
  buyer: Buyer,
): Promise<PaymentIntent & { checkoutKey: string }> {
  const { db, payments, at } = deps
  const checkoutKey = request.checkoutKey ?? buyer.checkoutKey ?? randomSecret()
  const userId = buyer.caller?.userId ?? null
  const isCart = request.lines !== undefined
  const keys = await buyerKeys(isCart ? `${checkoutKey} of the cart` : checkoutKey, userId)
  const { deviceHash, networkHash } = buyer
  const holder = { account: userId === null ? null : `user ${userId}`, deviceHash, networkHash }
  const ownEmail = buyer.caller?.emailVerified ? buyer.caller.email : null
  const shop = await loadShop(db, at)
  const findOpenOrder = () => findOrderByKeys(db, keys, { productId: request.productId ?? null, at })
  for (let pass = 1; ; pass++) {
    const open = (await findRequestedOrder(db, request, { userId, at })) ?? (await findOpenOrder())
    const requestedLines = await resolveLines(db, request, {
      currency: shop.currency,
      previousQuantity: open?.order.units,
    })
    const ships = requestedLines.some(({ product }) => product.kind === 'shipped')
    const taxLocation = ships ? null : (request.taxLocation ?? open?.order.taxLocation ?? null)
    const knownEmail = request.email ?? open?.order.email ?? ownEmail
    const priced = await priceOrder(db, requestedLines, {
      shop,
      address: request.shippingAddress ?? open?.order.shippingAddress ?? null,
      taxLocation,
      methodId: request.shippingMethodId ?? open?.order.shippingMethod?.id ?? null,
      typedCode: request.discountCode ?? request.promotionCode,
      previousCode: open?.order.promotionCode ?? null,
      user: {
        userId: open?.order.userId ?? userId,
        email: knownEmail,
        ownsEmail: knownEmail !== null && ownEmail !== null && normalizeKey(knownEmail) === normalizeKey(ownEmail),
        tier: buyer.caller?.tier ?? null,
      },
      orderId: open?.order.id ?? null,
      calculateTax: deps.calculateTax?.(open?.order.taxInputHash ?? null) ?? null,
      at,
    })
    checkChargeable(priced.breakdown)
    const { email, shippingAddress } = request
    const change: OrderChange = {
      priced,
      email,
      shippingAddress,
      taxLocation,
      userId,
      holder,
      keyHash: keys.primary,
      isCart,
    }
    if (!open) {
      // The next pass finds the new order and creates its payment intent.
      if (await insertOrder(deps, { ...change, email: knownEmail })) continue
      // Not inserted: a price changed, the stock is too low, the code has no use left, a limit is reached, or
      // a concurrent request of this buyer opened an order.
      if (pass < MAX_INSERT_PASSES && (await findOpenOrder())) continue
      throw await failedWriteError({ db, at }, change, null)
    }
    // A total of 0 needs no payment intent, so an order has none before its total exceeds 0.
    if (priced.breakdown.totalCents === 0 || (open.order.amountCents === 0 && open.order.paymentIntentId === null)) {
      const writtenOrder = await writeOrder(deps, open, change)
      if (writtenOrder && priced.breakdown.totalCents === 0)
        return {
          ...(await finishFreeOrder(deps, open.order.id, { userId, network: buyer.network }, writtenOrder.intent)),
          checkoutKey,
        }
      if (pass >= MAX_PASSES) throw changedInAnotherTabError()
      continue
    }
    const withIntent = await ensureIntent({ db, payments }, open, request.clientSecret ?? undefined)
    const intent = await updateOrder(deps, withIntent, change)
    if (intent) return { ...intent, checkoutKey }
    // A concurrent request changed the order.
    if (pass >= MAX_PASSES) throw changedInAnotherTabError()
  }
}

/**
 * Hashes that find a buyer's open order. `primary` is that of the browser's checkout key, combined with the account of
 * a logged-in user, so that users of one browser have separate orders. A log-in continues the order of `visitor`.
 */
type BuyerKeys = { primary: string; visitor: string }

async function buyerKeys(checkoutKey: string, userId: number | null): Promise<BuyerKeys> {
  const visitor = await sha256(checkoutKey)
  return { visitor, primary: userId === null ? visitor : await sha256(`${checkoutKey} of user ${userId}`) }
}

/** The open order of a product, or of the cart if `productId` is null. */
async function findOrderByKeys(
  db: Db,
  keys: BuyerKeys,
  { productId, at }: { productId: string | null; at: Millis },
): Promise<OrderWithLines | null> {
  const found = await findOrdersWithLines(
    db,
    and(
      inArray(orders.checkoutKeyHash, [keys.primary, keys.visitor]),
      productId === null ? eq(orders.isCart, true) : eq(orders.productId, productId),
      inArray(orders.status, ['pending', 'failed']),
      gt(orders.reservedUntil, at),
    ),
  )
  return found.find(({ order }) => order.checkoutKeyHash === keys.primary) ?? found[0] ?? null
}

/**
 * The order that the request names, verified by its client secret. Null if the request names none, or if the order has
 * expired or belongs to another account that used this browser: then the buyer's keys are tried.
 * @throws AppError `not_found`, `bad_input`, `order_paid`.
 */
async function findRequestedOrder(
  db: Db,
  { orderId, clientSecret, productId }: IntentRequest,
  { userId, at }: { userId: number | null; at: Millis },
): Promise<OrderWithLines | null> {
  // An order without a payment intent has no secret: the browser's key finds it.
  if (orderId === undefined || clientSecret === null) return null
  const hash = await sha256(clientSecret ?? '')
  const found = await findOrderWithLines(db, orderId)
  if (!found || found.order.clientSecretHash !== hash) throw orderNotFoundError()
  const { order } = found
  const isForSameGoods = productId === undefined ? order.isCart : !order.isCart && order.productId === productId
  if (!isForSameGoods) throw new AppError('bad_input', 'That order is for another product.')
  if (order.status === 'paid' || order.status === 'refunded') throw orderPaidError()
  const belongsToOtherUser = userId !== null && order.userId !== null && order.userId !== userId
  return statusAt(order, at) === 'expired' || belongsToOtherUser ? null : found
}

/**
 * Updates the order, its lines and their stock, then the amount at the provider. An order whose card was declined
 * reserves its stock again. Null if the order was changed since it was read.
 * @throws AppError `price_changed`, `sold_out`, `discount_rejected`, `too_many_reserved`, `order_paid`,
 *   `payment_under_way`, `closed`, `conflict`, `unavailable`.
 */
async function updateOrder(
  deps: CheckoutDeps,
  { order, lines, clientSecret }: OrderWithIntent,
  change: OrderChange,
): Promise<PaymentIntent | null> {
  const { db, payments } = deps
  const writtenOrder = await writeOrder(deps, { order, lines }, change)
  if (!writtenOrder) return null
  const { totalCents: amountCents } = change.priced.breakdown
  if (order.intentRevision < writtenOrder.revision)
    await changeIntent(
      { db, payments },
      { order, lines },
      {
        revision: writtenOrder.revision,
        amountCents,
        taxCalculationId: change.priced.sums.taxCalculationId,
      },
    )
  return { ...writtenOrder.intent, clientSecret }
}

/** Pays an order of total 0, unless its email, or the address or method of shipped goods, is missing. */
async function finishFreeOrder(
  deps: CheckoutDeps,
  orderId: string,
  user: FormUser,
  intent: PaymentIntent,
): Promise<PaymentIntent> {
  if (!(await payFreeOrder(deps, orderId, user))) return intent
  return { ...intent, status: 'paid', receiptUrl: await receiptPath(deps.secret, orderId) }
}

const changedInAnotherTabError = () =>
  new AppError('conflict', 'This order was just changed in another tab. Please try again.')
