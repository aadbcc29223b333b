import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { type PaymentProvider, type ProviderEvent, ProviderRejected } from '../payments/provider'
import { withAttempt } from './intents'
import { sendPendingRefunds } from './refunds'
import { FIRST_RETRY_MS, SCHEDULE_RETRY } from './retries'

/** Ends the orders whose time is over, and gives their stock back. Binds ?1 now; more conditions may be added. */
export const EXPIRE_DUE = `UPDATE orders SET status = 'expired', held = 0, holder = NULL
  WHERE status IN ('pending', 'failed') AND reserved_until <= ?1 AND paid_at IS NULL`

/** So many of each kind in one run, so that a run ends; the next takes up the rest. */
const BATCH_SIZE = 25

type SucceededEvent = Extract<ProviderEvent, { kind: 'succeeded' }>
type Deps = {
  db: Db
  payments: PaymentProvider
  at: Millis
  /** Takes in a payment that the provider has shown us, as though it had told us of it. */
  onPaymentEvent: (paid: SucceededEvent, at: Millis) => Promise<void>
}

/**
 * What time does to orders, every few minutes: reservations end, payments of ended orders are called off at the
 * provider, refunds that were wanted and not yet taken are made again. Each part may run twice and side by side.
 */
export async function runOrderMaintenance(deps: Deps): Promise<void> {
  await deps.db.$client.prepare(EXPIRE_DUE).bind(deps.at).run()
  await cancelExpiredIntents(deps)
  await sendPendingRefunds(deps)
}

type ExpiredOrder = { id: string; paymentIntentId: string | null; amountCents: number; attempt: number }

/** Calls the payments of ended orders off, so that nobody can pay for what is not kept for them any more. */
export async function cancelExpiredIntents(deps: Deps): Promise<void> {
  const d1 = deps.db.$client
  // Claimed first: this runs behind every checkout, and whoever runs beside us takes other orders. One that dies with
  // its claim lets go of it after a while.
  const { results } = await d1
    .prepare(
      `UPDATE orders SET retry_at = ?2 + ${FIRST_RETRY_MS} WHERE id IN (SELECT id FROM orders
         WHERE intent_open = 1 AND status = 'expired' AND provider = ?1 AND retry_at <= ?2
         ORDER BY retry_at LIMIT ${BATCH_SIZE})
       RETURNING id, payment_intent_id AS paymentIntentId, amount_cents AS amountCents, provider_attempt AS attempt`,
    )
    .bind(deps.payments.provider, deps.at)
    .all<ExpiredOrder>()
  for (const order of results)
    await closeIntent(deps, order).then(
      () => d1.prepare('UPDATE orders SET intent_open = 0, tries = 0, retry_at = 0 WHERE id = ?1').bind(order.id).run(),
      (error: Error) => {
        console.error(JSON.stringify({ at: 'call-off', order: order.id, error: error.constructor.name }))
        return d1.prepare(SCHEDULE_RETRY).bind(order.id, deps.at).run()
      },
    )
}

async function closeIntent({ db, payments, onPaymentEvent, at }: Deps, order: ExpiredOrder): Promise<void> {
  const { id, paymentIntentId } = order
  // The answer that named the payment may have been lost: asking again by the same key says which it is.
  const intentId = paymentIntentId ?? (await recoverIntentId({ db, payments }, order))
  if (intentId === null) return
  const paid = await payments.closeIntent({ intentId, orderId: id })
  if (!paid) return
  // It was paid, and the event that says so is late or lost: what we have read counts as one.
  const event = { id: `closing:${id}`, type: 'payment_intent.read', live: payments.live, intentId, orderId: id }
  await onPaymentEvent({ ...event, kind: 'succeeded', ...paid }, at)
}

const recoverIntentId = (
  { db, payments }: Pick<Deps, 'db' | 'payments'>,
  { id: orderId, amountCents, attempt: now }: ExpiredOrder,
): Promise<string | null> =>
  withAttempt(db, { orderId, attempt: now }, (attempt) =>
    payments.createIntent({ orderId, amountCents, attempt }),
  ).then(
    ({ id }) => id,
    (error) => {
      if (error instanceof ProviderRejected) return null
      throw error
    },
  )
