import type { ShippingAddress } from '../contract/orders'
import type { PaymentIntent } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { limits } from '../limits'
import { type PaymentProvider, ProviderRejected } from '../payments/provider'
import { soldOut } from '../products/products'
import { mapProviderErrors, type OrderWithIntent, withAttempt } from './intents'
import { RESERVED_PIECES, tooManyReserved } from './reservations'

/** What a buyer wants an order to be; what is undefined stays as it is. */
export type OrderChange = {
  quantity: number
  unitPriceCents: number
  discountCents: number
  promotionCode: string | null
  email: string | null | undefined
  shippingAddress: ShippingAddress | undefined
  userId: number | null
  /** Who keeps the pieces, and under what the order is found again. */
  holder: string
  keyHash: string
}

type CurrentState = { revision: number; status: string; left: number; reserved: number }
type Price = Pick<OrderChange, 'quantity' | 'unitPriceCents' | 'discountCents'>
const amountOf = ({ quantity, unitPriceCents, discountCents }: Price) => quantity * unitPriceCents - discountCents

// A visitor's order that somebody who has logged in goes on with is found under their key from then on; where they have
// one already, by its name alone.
const UPDATE_ORDER = `
  UPDATE orders SET quantity = ?3, unit_price_cents = ?4, discount_cents = ?5, amount_cents = ?3 * ?4 - ?5, held = ?3,
    status = 'pending', revision = ?6, promotion_code = ?7, email = coalesce(?8, email),
    shipping_address = coalesce(?9, shipping_address), user_id = coalesce(user_id, ?10),
    holder = ?11, checkout_key_hash = CASE WHEN user_id IS NOT NULL OR ?10 IS NULL THEN checkout_key_hash
      WHEN EXISTS (SELECT 1 FROM orders other WHERE other.checkout_key_hash = ?12 AND other.id <> orders.id
        AND other.product_id = orders.product_id AND other.status IN ('pending', 'failed')) THEN NULL ELSE ?12 END
  WHERE id = ?1 AND revision = ?2 AND status IN ('pending', 'failed') AND paid_at IS NULL
    AND (SELECT stock FROM products WHERE id = orders.product_id) + held >= ?3
    AND (?3 <= held OR ${RESERVED_PIECES({ holder: '?11', at: '?13', but: 'orders.id' })} + ?3 <= ${limits.maxReservedUnits})
  RETURNING id`
const SELECT_STATE = `SELECT o.revision, o.status, p.stock + o.held AS left, ${RESERVED_PIECES({ holder: '?2', at: '?3', but: 'o.id' })} AS reserved
  FROM orders o JOIN products p ON p.id = o.product_id WHERE o.id = ?1`

/**
 * Brings an order to what its buyer wants: the row and its stock first, then the provider. A declined order takes its
 * stock again. Null when somebody else changed it since it was read.
 * @throws AppError `sold_out`, `too_many_reserved`, `order_paid`, `payment_under_way`, `closed`, `unavailable`.
 */
export async function updateOrder(
  { db, payments, at }: { db: Db; payments: PaymentProvider; at: Millis },
  { order, clientSecret }: OrderWithIntent,
  change: OrderChange,
): Promise<PaymentIntent | null> {
  const d1 = db.$client
  const isSameAmount = amountOf(change) === order.amountCents && change.quantity === order.quantity
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
      change.holder,
      change.keyHash,
      at,
    )
  const results = await d1.batch([
    ...(isUnchanged ? [] : [update]),
    d1.prepare(SELECT_STATE).bind(order.id, change.holder, at),
  ])
  const [row] = (results.at(-1)?.results ?? []) as CurrentState[]
  if (!isUnchanged && results[0]?.results.length !== 1) {
    if (row && !['pending', 'failed'].includes(row.status)) throw notPayable(row.status)
    if (row?.revision !== order.revision) return null
    throw row.left < change.quantity ? soldOut(Math.max(0, row.left)) : tooManyReserved(row.reserved)
  }
  if (order.intentRevision < revision)
    await updateIntent({ db, payments }, order, { revision, amountCents: amountOf(change) })
  return {
    clientSecret,
    orderId: order.id,
    amountCents: amountOf(change),
    quantity: change.quantity,
    available: row?.left ?? change.quantity,
    unitPriceCents: change.unitPriceCents,
    discountCents: change.discountCents,
    promotionCode: change.promotionCode,
    reservedUntil: new Date(order.reservedUntil ?? 0).toISOString(),
  }
}

/** Tells the provider the new amount. Where it is too late for that, the order becomes again what is being paid. */
async function updateIntent(
  { db, payments }: { db: Db; payments: PaymentProvider },
  order: OrderWithIntent['order'],
  { revision, amountCents }: { revision: number; amountCents: number },
): Promise<void> {
  const d1 = db.$client
  const pendingUpdate = withAttempt(db, { orderId: order.id, attempt: order.providerAttempt }, (attempt) =>
    payments.changeIntent({ intentId: order.paymentIntentId, orderId: order.id, amountCents, revision, attempt }),
  )
  await mapProviderErrors(
    pendingUpdate.catch(async (error) => {
      // Any other refusal says nothing about the payment.
      if (!(error instanceof ProviderRejected && error.message === 'payment_intent_unexpected_state')) throw error
      await d1
        .prepare(
          `UPDATE orders SET quantity = ?3, unit_price_cents = ?4, discount_cents = ?5, amount_cents = ?3 * ?4 - ?5,
             held = CASE WHEN held = 0 THEN 0 ELSE ?3 END, promotion_code = ?6, revision = ?2 + 1, intent_revision = ?2 + 1
           WHERE id = ?1 AND revision = ?2 AND (SELECT stock FROM products WHERE id = orders.product_id) + held >= ?3`,
        )
        .bind(order.id, revision, order.quantity, order.unitPriceCents, order.discountCents, order.promotionCode)
        .run()
      throw new AppError('payment_under_way', 'This payment is already under way.', { cause: error })
    }),
  )
  await d1
    .prepare('UPDATE orders SET intent_revision = max(intent_revision, ?2) WHERE id = ?1')
    .bind(order.id, revision)
    .run()
}

const notPayable = (status: string) =>
  status === 'expired'
    ? new AppError('closed', 'The time for this order is over. Please start again.')
    : new AppError('order_paid', 'This order has been paid already.')
