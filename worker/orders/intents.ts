import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { sha256 } from '../lib/crypto'
import { mapProviderErrors, type PaymentProvider, ProviderFailed, ProviderRejected } from '../payments/provider'
import type { orders } from './orders.table'

type Order = typeof orders.$inferSelect

/** An order with its payment intent, and the client secret that the browser confirms it with. */
export type OrderWithIntent = { order: Order & { paymentIntentId: string }; clientSecret: string }

type IntentDeps = { db: Db; payments: PaymentProvider }

/**
 * Creates the order's intent, or reads the client secret of the existing one if the browser did not send it. The amount
 * never changes before the intent is known, so a lost response is recovered by the same call.
 */
export async function ensureIntent(
  { db, payments }: IntentDeps,
  order: Order,
  givenSecret: string | undefined,
): Promise<OrderWithIntent> {
  if (order.paymentIntentId !== null) {
    const paymentIntentId = order.paymentIntentId
    const isKnownSecret = givenSecret !== undefined && (await sha256(givenSecret)) === order.clientSecretHash
    const clientSecret = isKnownSecret
      ? givenSecret
      : (await mapProviderErrors(payments.readIntent(paymentIntentId))).clientSecret
    return { order: { ...order, paymentIntentId }, clientSecret }
  }
  const { id: orderId, amountCents, providerAttempt } = order
  const { id, clientSecret } = await mapProviderErrors(
    withAttempt(db, { orderId, attempt: providerAttempt }, (attempt) =>
      payments.createIntent({ orderId, amountCents, attempt }),
    ),
  )
  const hash = await sha256(clientSecret)
  await db.$client
    .prepare(
      `UPDATE orders SET payment_intent_id = ?2, client_secret_hash = ?3, intent_revision = max(intent_revision, 1)
       WHERE id = ?1 AND client_secret_hash IS NULL`,
    )
    .bind(order.id, id, hash)
    .run()
  return {
    order: { ...order, paymentIntentId: id, clientSecretHash: hash, intentRevision: Math.max(order.intentRevision, 1) },
    clientSecret,
  }
}

/**
 * Changes the amount at the provider. If the old amount is being paid already, the values of `order` are restored.
 * @throws AppError `payment_under_way`, `unavailable`, `conflict`.
 */
export async function changeIntent(
  { db, payments }: IntentDeps,
  order: OrderWithIntent['order'],
  { revision, amountCents }: { revision: number; amountCents: number },
): Promise<void> {
  const d1 = db.$client
  const pendingChange = withAttempt(db, { orderId: order.id, attempt: order.providerAttempt }, (attempt) =>
    payments.changeIntent({ intentId: order.paymentIntentId, orderId: order.id, amountCents, revision, attempt }),
  )
  await mapProviderErrors(
    pendingChange.catch(async (error) => {
      // Other rejections say nothing about the payment's state.
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

/** Makes a call with the order's attempt as idempotency key. After ProviderFailed the next call uses the next attempt. */
export async function withAttempt<T>(
  db: Db,
  { orderId, attempt }: { orderId: string; attempt: number },
  call: (attempt: number) => Promise<T>,
): Promise<T> {
  return call(attempt).catch(async (error) => {
    if (error instanceof ProviderFailed)
      await db.$client
        .prepare('UPDATE orders SET provider_attempt = ?2 + 1 WHERE id = ?1 AND provider_attempt = ?2')
        .bind(orderId, attempt)
        .run()
    throw error
  })
}
