import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { type Payments, type ProviderEvent, ProviderRefused } from '../payments/provider'
import { attempted } from './provider-calls'
import { sendRefunds } from './refunds'
import { ASK_LATER, FIRST } from './retries'

/** Ends the orders whose time is over, and gives their stock back. Binds ?1 now; more conditions may be added. */
export const EXPIRE_DUE = `UPDATE orders SET status = 'expired', held = 0, holder = NULL
  WHERE status IN ('pending', 'failed') AND reserved_until <= ?1 AND paid_at IS NULL`

/** So many of each kind in one run, so that a run ends; the next takes up the rest. */
const BATCH = 25

type Paid = Extract<ProviderEvent, { kind: 'succeeded' }>
type Hands = {
  db: Db
  payments: Payments
  at: Millis
  /** Takes in a payment that the provider has shown us, as though it had told us of it. */
  hear: (paid: Paid, at: Millis) => Promise<void>
}

/**
 * What time does to orders, every few minutes: reservations end, payments of ended orders are called off at the
 * provider, refunds that were wanted and not yet taken are made again. Each part may run twice and side by side.
 */
export async function sweepOrders(hands: Hands): Promise<void> {
  await hands.db.$client.prepare(EXPIRE_DUE).bind(hands.at).run()
  await callOff(hands)
  await sendRefunds(hands)
}

type Open = { id: string; paymentIntentId: string | null; amountCents: number; attempt: number }

/** Calls the payments of ended orders off, so that nobody can pay for what is not kept for them any more. */
export async function callOff(hands: Hands): Promise<void> {
  const d1 = hands.db.$client
  // Claimed first: this runs behind every checkout, and whoever runs beside us takes other orders. One that dies with
  // its claim lets go of it after a while.
  const { results } = await d1
    .prepare(
      `UPDATE orders SET retry_at = ?2 + ${FIRST} WHERE id IN (SELECT id FROM orders
         WHERE intent_open = 1 AND status = 'expired' AND provider = ?1 AND retry_at <= ?2
         ORDER BY retry_at LIMIT ${BATCH})
       RETURNING id, payment_intent_id AS paymentIntentId, amount_cents AS amountCents, provider_attempt AS attempt`,
    )
    .bind(hands.payments.provider, hands.at)
    .all<Open>()
  for (const order of results)
    await closed(hands, order).then(
      () => d1.prepare('UPDATE orders SET intent_open = 0, tries = 0, retry_at = 0 WHERE id = ?1').bind(order.id).run(),
      (error: Error) => {
        console.error(JSON.stringify({ at: 'call-off', order: order.id, error: error.constructor.name }))
        return d1.prepare(ASK_LATER).bind(order.id, hands.at).run()
      },
    )
}

async function closed({ db, payments, hear, at }: Hands, order: Open): Promise<void> {
  const { id, paymentIntentId } = order
  // The answer that named the payment may have been lost: asking again by the same key says which it is.
  const intentId = paymentIntentId ?? (await madeOrNot({ db, payments }, order))
  if (intentId === null) return
  const paid = await payments.closeIntent({ intentId, orderId: id })
  if (!paid) return
  // It was paid, and the event that says so is late or lost: what we have read counts as one.
  const read = { id: `closing:${id}`, type: 'payment_intent.read', live: payments.live, intentId, orderId: id }
  await hear({ ...read, kind: 'succeeded', ...paid }, at)
}

const madeOrNot = (
  { db, payments }: Pick<Hands, 'db' | 'payments'>,
  { id: orderId, amountCents, attempt: now }: Open,
): Promise<string | null> =>
  attempted(db, { orderId, attempt: now }, (attempt) => payments.createIntent({ orderId, amountCents, attempt })).then(
    ({ id }) => id,
    (error) => {
      if (error instanceof ProviderRefused) return null
      throw error
    },
  )
