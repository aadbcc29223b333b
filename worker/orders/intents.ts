import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { newId, sha256 } from '../lib/crypto'
import { mapProviderErrors, type PaymentProvider, ProviderFailed, ProviderRejected } from '../payments/provider'
import {
  assignSumsSql,
  inStockSql,
  jsonLinesSql,
  type OrderWithLines,
  orderSumFields,
  replaceLines,
  sumsOf,
} from './order-lines'

/** An order with its payment intent, and the client secret with which the browser confirms the payment. */
export type OrderWithIntent = {
  order: OrderWithLines['order'] & { paymentIntentId: string }
  lines: OrderWithLines['lines']
  clientSecret: string
}

type IntentDeps = { db: Db; payments: PaymentProvider }

/**
 * Creates the order's payment intent, or returns the existing one. The client secret of an existing intent is the one
 * that the browser sent, if its hash matches; otherwise it is read from the provider.
 * @throws AppError `unavailable`, `conflict`.
 */
export async function ensureIntent(
  { db, payments }: IntentDeps,
  { order, lines }: OrderWithLines,
  browserSecret: string | undefined,
): Promise<OrderWithIntent> {
  if (order.paymentIntentId !== null) {
    const paymentIntentId = order.paymentIntentId
    const isKnownSecret = browserSecret !== undefined && (await sha256(browserSecret)) === order.clientSecretHash
    const clientSecret = isKnownSecret
      ? browserSecret
      : (await mapProviderErrors(payments.readIntent(paymentIntentId))).clientSecret
    return { order: { ...order, paymentIntentId }, lines, clientSecret }
  }
  const { id: orderId, amountCents, currency, providerAttempt, taxCalculationId } = order
  // The amount of an order without an intent does not change, except from or to 0. So a call repeated after a lost
  // response has the same parameters, and the provider returns the same intent.
  const { id, clientSecret } = await mapProviderErrors(
    withAttempt(db, { orderId, attempt: providerAttempt }, (attempt) =>
      payments.createIntent({ orderId, amountCents, currency, taxCalculationId, attempt }),
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
    lines,
    clientSecret,
  }
}

const RESTORE_ORDER = `
  UPDATE orders SET ${assignSumsSql('?1')}, held = 0, change_id = ?1 ->> 'changeId', promotion_code = ?1 ->> 'code',
    shipping_method = ?1 ->> 'shippingMethod', tax_location = ?1 ->> 'taxLocation', revision = revision + 1, intent_revision = revision + 1
  WHERE id = ?1 ->> 'orderId' AND revision = ?1 ->> 'revision'
    AND ${inStockSql(jsonLinesSql('?2'), "?1 ->> 'orderId'")}`

/**
 * Changes the amount of the payment intent. If the provider is already charging the old amount, restores the order to
 * `order` and `lines`, its values before the change.
 * @throws AppError `payment_under_way`, `unavailable`, `conflict`.
 */
export async function changeIntent(
  { db, payments }: IntentDeps,
  { order, lines }: Pick<OrderWithIntent, 'order' | 'lines'>,
  {
    revision,
    amountCents,
    taxCalculationId,
  }: { revision: number; amountCents: number; taxCalculationId: string | null },
): Promise<void> {
  const d1 = db.$client
  const change = withAttempt(db, { orderId: order.id, attempt: order.providerAttempt }, (attempt) =>
    payments.changeIntent({
      intentId: order.paymentIntentId,
      orderId: order.id,
      amountCents,
      taxCalculationId,
      revision,
      attempt,
    }),
  )
  await mapProviderErrors(
    change.catch(async (error) => {
      // Other rejections do not reveal the payment's state.
      if (!(error instanceof ProviderRejected && error.message === 'payment_intent_unexpected_state')) throw error
      const changeId = newId('chg')
      const values = {
        ...orderSumFields(sumsOf(order), lines),
        orderId: order.id,
        changeId,
        revision,
        code: order.promotionCode,
        taxLocation: order.taxLocation && JSON.stringify(order.taxLocation),
      }
      await d1.batch([
        d1
          .prepare(RESTORE_ORDER)
          .bind(
            JSON.stringify({ ...values, shippingMethod: order.shippingMethod && JSON.stringify(order.shippingMethod) }),
            JSON.stringify(lines),
          ),
        ...replaceLines(d1, { orderId: order.id, changeId }, lines),
      ])
      throw new AppError('payment_under_way', 'This payment is already under way.', { cause: error })
    }),
  )
  await d1
    .prepare('UPDATE orders SET intent_revision = max(intent_revision, ?2) WHERE id = ?1')
    .bind(order.id, revision)
    .run()
}

/**
 * Calls the provider with the order's attempt number, a part of the idempotency key. After ProviderFailed the next call
 * uses the next number.
 */
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
