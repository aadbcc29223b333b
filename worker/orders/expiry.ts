import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { type Payments, ProviderRefused } from '../payments/provider'
import { sendRefunds } from './refunds'

/** Ends the orders whose time is over, and gives their stock back. Binds ?1 now; more conditions may be added. */
export const EXPIRE_DUE = `UPDATE orders SET status = 'expired', held = 0
  WHERE status IN ('pending', 'failed') AND reserved_until <= ?1 AND paid_at IS NULL`

/** So many of each kind in one run, so that a run ends; the next takes up the rest. */
const BATCH = 25

type Hands = { db: Db; payments: Payments; at: Millis }

/**
 * What time does to orders, every few minutes: reservations end, payments of ended orders are called off at the
 * provider, refunds that were wanted and not yet taken are made again. Each part may run twice and side by side.
 */
export async function sweepOrders({ db, payments, at }: Hands): Promise<void> {
  await db.$client.prepare(EXPIRE_DUE).bind(at).run()
  await callOff({ db, payments })
  await sendRefunds({ db, payments, at })
}

type Open = { id: string; paymentIntentId: string | null; amountCents: number }

/** Calls the payments of ended orders off, so that nobody can pay for what is not kept for them any more. */
export async function callOff({ db, payments }: Omit<Hands, 'at'>): Promise<void> {
  const d1 = db.$client
  const { results } = await d1
    .prepare(
      `SELECT id, payment_intent_id AS paymentIntentId, amount_cents AS amountCents FROM orders
       WHERE intent_open = 1 AND status = 'expired' AND provider = ?1 ORDER BY created_at LIMIT ${BATCH}`,
    )
    .bind(payments.provider)
    .all<Open>()
  for (const order of results)
    await closed(payments, order).then(
      () => d1.prepare('UPDATE orders SET intent_open = 0 WHERE id = ?1').bind(order.id).run(),
      // It stays on the list for the next run.
      (error: Error) =>
        console.error(JSON.stringify({ at: 'call-off', order: order.id, error: error.constructor.name })),
    )
}

async function closed(payments: Payments, { id, paymentIntentId, amountCents }: Open): Promise<void> {
  // The answer that named the payment may have been lost: asking again by the same key says which it is.
  const intentId = paymentIntentId ?? (await madeOrNot(payments, { orderId: id, amountCents }))
  if (intentId !== null) await payments.closeIntent({ intentId, orderId: id })
}

const madeOrNot = (payments: Payments, order: { orderId: string; amountCents: number }) =>
  payments.createIntent(order).then(
    ({ id }) => id,
    (error) => {
      if (error instanceof ProviderRefused) return null
      throw error
    },
  )
