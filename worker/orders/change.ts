import type { ShippingAddress } from '../contract/orders'
import type { PaymentIntent } from '../contract/shop'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { Refused } from '../lib/refused'
import { limits } from '../limits'
import { type Payments, ProviderRefused } from '../payments/provider'
import { soldOut } from '../shop/shop'
import { asked, attempted, type Paying } from './provider-calls'
import { RESERVED, tooManyReserved } from './reservations'

/** What a buyer wants an order to be; what is undefined stays as it is. */
export type Wish = {
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

type Stands = { revision: number; status: string; left: number; reserved: number }
type Money = Pick<Wish, 'quantity' | 'unitPriceCents' | 'discountCents'>
const amountOf = ({ quantity, unitPriceCents, discountCents }: Money) => quantity * unitPriceCents - discountCents

// A visitor's order that somebody who has logged in goes on with is found under their key from then on; where they have
// one already, by its name alone.
const TAKE = `
  UPDATE orders SET quantity = ?3, unit_price_cents = ?4, discount_cents = ?5, amount_cents = ?3 * ?4 - ?5, held = ?3,
    status = 'pending', revision = ?6, promotion_code = ?7, email = coalesce(?8, email),
    shipping_address = coalesce(?9, shipping_address), user_id = coalesce(user_id, ?10),
    holder = ?11, checkout_key_hash = CASE WHEN user_id IS NOT NULL OR ?10 IS NULL THEN checkout_key_hash
      WHEN EXISTS (SELECT 1 FROM orders other WHERE other.checkout_key_hash = ?12 AND other.id <> orders.id
        AND other.product_id = orders.product_id AND other.status IN ('pending', 'failed')) THEN NULL ELSE ?12 END
  WHERE id = ?1 AND revision = ?2 AND status IN ('pending', 'failed') AND paid_at IS NULL
    AND (SELECT stock FROM products WHERE id = orders.product_id) + held >= ?3
    AND (?3 <= held OR ${RESERVED({ holder: '?11', at: '?13', but: 'orders.id' })} + ?3 <= ${limits.piecesReserved})
  RETURNING id`
const STANDS = `SELECT o.revision, o.status, p.stock + o.held AS left, ${RESERVED({ holder: '?2', at: '?3', but: 'o.id' })} AS reserved
  FROM orders o JOIN products p ON p.id = o.product_id WHERE o.id = ?1`

/**
 * Brings an order to what its buyer wants: the row and its stock first, then the provider. A declined order takes its
 * stock again. Null when somebody else changed it since it was read.
 * @throws Refused `sold_out`, `too_many_reserved`, `order_paid`, `payment_under_way`, `closed`, `unavailable`.
 */
export async function changed(
  { db, payments, at }: { db: Db; payments: Payments; at: Millis },
  { order, clientSecret }: Paying,
  wish: Wish,
): Promise<PaymentIntent | null> {
  const d1 = db.$client
  const sameMoney = amountOf(wish) === order.amountCents && wish.quantity === order.quantity
  const revision = sameMoney ? order.revision : order.revision + 1
  const nothingNew =
    sameMoney &&
    order.status === 'pending' &&
    wish.discountCents === order.discountCents &&
    wish.promotionCode === order.promotionCode &&
    wish.email == null &&
    wish.shippingAddress === undefined &&
    (wish.userId === null || order.userId !== null)
  const take = d1
    .prepare(TAKE)
    .bind(
      order.id,
      order.revision,
      wish.quantity,
      wish.unitPriceCents,
      wish.discountCents,
      revision,
      wish.promotionCode,
      wish.email ?? null,
      wish.shippingAddress ? JSON.stringify(wish.shippingAddress) : null,
      wish.userId,
      wish.holder,
      wish.keyHash,
      at,
    )
  const results = await d1.batch([...(nothingNew ? [] : [take]), d1.prepare(STANDS).bind(order.id, wish.holder, at)])
  const [row] = (results.at(-1)?.results ?? []) as Stands[]
  if (!nothingNew && results[0]?.results.length !== 1) {
    if (row && !['pending', 'failed'].includes(row.status)) throw paidOrOver(row.status)
    if (row?.revision !== order.revision) return null
    throw row.left < wish.quantity ? soldOut(Math.max(0, row.left)) : tooManyReserved(row.reserved)
  }
  if (order.intentRevision < revision)
    await atProvider({ db, payments }, order, { revision, amountCents: amountOf(wish) })
  return {
    clientSecret,
    orderId: order.id,
    amountCents: amountOf(wish),
    quantity: wish.quantity,
    available: row?.left ?? wish.quantity,
    unitPriceCents: wish.unitPriceCents,
    discountCents: wish.discountCents,
    promotionCode: wish.promotionCode,
    reservedUntil: new Date(order.reservedUntil ?? 0).toISOString(),
  }
}

/** Tells the provider the new amount. Where it is too late for that, the order becomes again what is being paid. */
async function atProvider(
  { db, payments }: { db: Db; payments: Payments },
  order: Paying['order'],
  { revision, amountCents }: { revision: number; amountCents: number },
): Promise<void> {
  const d1 = db.$client
  const told = attempted(db, { orderId: order.id, attempt: order.providerAttempt }, (attempt) =>
    payments.changeIntent({ intentId: order.paymentIntentId, orderId: order.id, amountCents, revision, attempt }),
  )
  await asked(
    told.catch(async (error) => {
      // Any other refusal says nothing about the payment.
      if (!(error instanceof ProviderRefused && error.message === 'payment_intent_unexpected_state')) throw error
      await d1
        .prepare(
          `UPDATE orders SET quantity = ?3, unit_price_cents = ?4, discount_cents = ?5, amount_cents = ?3 * ?4 - ?5,
             held = CASE WHEN held = 0 THEN 0 ELSE ?3 END, promotion_code = ?6, revision = ?2 + 1, intent_revision = ?2 + 1
           WHERE id = ?1 AND revision = ?2 AND (SELECT stock FROM products WHERE id = orders.product_id) + held >= ?3`,
        )
        .bind(order.id, revision, order.quantity, order.unitPriceCents, order.discountCents, order.promotionCode)
        .run()
      throw new Refused('payment_under_way', 'This payment is already under way.', { cause: error })
    }),
  )
  await d1
    .prepare('UPDATE orders SET intent_revision = max(intent_revision, ?2) WHERE id = ?1')
    .bind(order.id, revision)
    .run()
}

const paidOrOver = (status: string) =>
  status === 'expired'
    ? new Refused('closed', 'The time for this order is over. Please start again.')
    : new Refused('order_paid', 'This order has been paid already.')
