import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { logError } from '../lib/log'
import type { PaymentServices } from '../payments/payments'
import { ProviderRejected } from '../payments/provider'
import { withAttempt } from './intents'
import { CLEAR_RESERVATION_HOLDER } from './orders'
import { sendPartialRefunds } from './partial-refunds'
import { CLAIM_MS, SCHEDULE_RETRY, sendFullRefunds } from './refunds'

/** Ends orders whose reservation is over and releases their stock. Binds ?1 now. */
export const EXPIRE_DUE = `UPDATE orders SET status = 'expired', held = 0, ${CLEAR_RESERVATION_HOLDER}
  WHERE status IN ('pending', 'failed') AND reserved_until <= ?1 AND paid_at IS NULL`

/** Maximum orders per run; the next run continues. */
const BATCH_SIZE = 25

type ExpiryDeps = Pick<PaymentServices, 'payments' | 'onPaymentEvent'> & { db: Db; at: Millis }

/** Five-minute job: expires orders, cancels their intents and sends pending refunds. Safe to run concurrently. */
export async function runOrderMaintenance(deps: ExpiryDeps): Promise<void> {
  await deps.db.$client.prepare(EXPIRE_DUE).bind(deps.at).run()
  await cancelExpiredIntents(deps)
  await sendFullRefunds(deps)
  await sendPartialRefunds(deps)
}

type ExpiredOrder = {
  id: string
  paymentIntentId: string | null
  amountCents: number
  currency: string
  taxCalculationId: string | null
  attempt: number
}

/** Cancels the intents of expired orders, so that they can no longer be paid. */
export async function cancelExpiredIntents(deps: ExpiryDeps): Promise<void> {
  const d1 = deps.db.$client
  // Setting `retry_at` claims the orders: concurrent runs get different ones, and a crashed run's claim expires.
  const { results } = await d1
    .prepare(
      `UPDATE orders SET retry_at = ?2 + ${CLAIM_MS} WHERE id IN (SELECT id FROM orders
         WHERE intent_open = 1 AND status = 'expired' AND provider = ?1 AND retry_at <= ?2
         ORDER BY retry_at LIMIT ${BATCH_SIZE})
       RETURNING id, payment_intent_id AS paymentIntentId, amount_cents AS amountCents, currency,
         tax_calculation_id AS taxCalculationId, provider_attempt AS attempt`,
    )
    .bind(deps.payments.provider, deps.at)
    .all<ExpiredOrder>()
  for (const order of results)
    await cancelIntent(deps, order).then(
      () => d1.prepare('UPDATE orders SET intent_open = 0, tries = 0, retry_at = 0 WHERE id = ?1').bind(order.id).run(),
      (error: Error) => {
        logError('cancel-intent', error, { order: order.id })
        return d1.prepare(SCHEDULE_RETRY).bind(order.id, deps.at).run()
      },
    )
}

async function cancelIntent(deps: ExpiryDeps, order: ExpiredOrder): Promise<void> {
  const { payments } = deps
  const intentId = order.paymentIntentId ?? (await recoverIntentId(deps, order))
  if (intentId === null) return
  const payment = await payments.closeIntent({ intentId, orderId: order.id })
  if (!payment) return
  // The order was paid, but the webhook is late or lost: the response replaces the event.
  const event = { id: `closing:${order.id}`, type: 'payment_intent.read', isLive: payments.isLive, orderId: order.id }
  await deps.onPaymentEvent({ ...event, intentId, kind: 'succeeded', ...payment }, deps.at)
}

/** The id of an intent whose response was lost, by repeating the call with its key; null if the call is rejected. */
async function recoverIntentId({ db, payments }: ExpiryDeps, order: ExpiredOrder): Promise<string | null> {
  const { id: orderId, amountCents, currency, taxCalculationId } = order
  try {
    const intent = await withAttempt(db, { orderId, attempt: order.attempt }, (attempt) =>
      payments.createIntent({ orderId, amountCents, currency, taxCalculationId, attempt }),
    )
    return intent.id
  } catch (error) {
    if (error instanceof ProviderRejected) return null
    throw error
  }
}
