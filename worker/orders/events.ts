import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/ids'
import { Refused } from '../lib/refused'
import type { PaymentEvent, Payments, ProviderEvent } from '../payments/provider'
import { ANOTHER_SUM, factOf } from './facts'
import { buyerMails } from './notify'
import { PURCHASE_PAID, PURCHASE_UNDONE } from './purchase-points'
import { SETTLE } from './settle'

type Told = ProviderEvent & PaymentEvent
type House = {
  db: Db
  payments: Pick<Payments, 'provider' | 'live'>
  signingSecret: string
  /** What links in mails begin with; null where it is not known. */
  origin: string | null
}
type Known = {
  id: string
  amount_cents: number
  provider: string | null
  payment_intent_id: string | null
  revision: number
  intent_revision: number
  reserved_until: Millis | null
}

const FIND = `SELECT id, amount_cents, provider, payment_intent_id, revision, intent_revision, reserved_until FROM orders
  WHERE payment_intent_id = ?1 OR id = ?2 ORDER BY payment_intent_id = ?1 DESC LIMIT 1`

const RECORD = `INSERT INTO payment_events (id, type, state, reason, order_id, payment_intent_id, delivery, received_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8`

/**
 * Takes in what the provider says of a payment: the event by its id, the change of its order and the mail that follows
 * in one batch, once however often it comes and in whatever order. What names an order and does not fit it is parked for
 * a person and changes nothing (K7); what names none is nobody's business here. Returns the order that it was about, null
 * where there is none.
 *
 * Another sum than the order's is the buyer's own doing where they changed the order: while that may still be under way
 * the provider is asked to tell it later, and where it is over the money goes back.
 * @throws Refused `unavailable` while the order's amount is just being changed: the provider sends the event again.
 */
export async function takeIn(
  { db, payments, signingSecret, origin }: House,
  event: Told,
  now: Millis,
): Promise<{ orderId: string } | null> {
  const d1 = db.$client
  const order = await d1.prepare(FIND).bind(event.intentId, event.orderId).first<Known>()
  // The account has other business: members' renewals, external checkout links.
  if (!order && event.orderId === null) {
    await keep(d1, event, { state: 'ignored', reason: null, now })
    return null
  }
  const wrong = misfit(order, event, payments)
  if (!order || wrong !== null) {
    await keep(d1, event, { state: 'parked', reason: wrong ?? 'No order of ours has this payment.', now })
    return null
  }
  const another = event.kind === 'succeeded' && event.amountCents !== order.amount_cents
  if (another && order.intent_revision < order.revision && now < (order.reserved_until ?? 0)) throw inFlux()
  const fact = another ? ANOTHER_SUM({ at: event.at, now }) : factOf(event, { at: event.at, now })
  if (!fact) {
    await keep(d1, event, { state: 'parked', reason: questionOf(event), now, orderId: order.id })
    return { orderId: order.id }
  }
  const delivery = newId('dlv')
  const mine = [order.id, event.id, delivery] as const
  const outcome = another ? (['parked', ANOTHER] as const) : (['applied', null] as const)
  const letters = await buyerMails(db, { orderId: order.id, signingSecret, origin, at: now, paidAt: event.at })
  const results = await d1.batch([
    // The amount stands in the statement, too: it may have been changed since it was read.
    d1
      .prepare(`${RECORD} FROM orders WHERE id = ?5 AND amount_cents = ?9 ON CONFLICT DO NOTHING`)
      .bind(event.id, event.type, ...outcome, order.id, event.intentId, delivery, now, order.amount_cents),
    d1
      .prepare(
        `UPDATE orders SET ${fact.set} WHERE id = ?1 AND ${fact.where}
         AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?2 AND delivery = ?3)`,
      )
      .bind(...mine, ...fact.values),
    d1.prepare(SETTLE).bind(...mine, now),
    d1.prepare(PURCHASE_PAID).bind(order.id, now),
    ...PURCHASE_UNDONE.map((statement) => d1.prepare(statement).bind(order.id, now)),
    ...letters,
    d1.prepare('SELECT 1 FROM payment_events WHERE id = ?1').bind(event.id),
  ])
  if (results.at(-1)?.results.length !== 1) throw inFlux()
  return { orderId: order.id }
}

/** Why an event does not fit the order that it names; null where it does. */
function misfit(order: Known | null, event: Told, payments: Pick<Payments, 'provider' | 'live'>): string | null {
  if (event.live !== payments.live)
    return event.live ? 'A live event among test payments.' : 'A test event among live payments.'
  if (!order) return null
  if (order.payment_intent_id !== null && event.intentId !== null && order.payment_intent_id !== event.intentId)
    return 'The order that it names is paid for by another payment.'
  if (order.provider !== payments.provider) return 'The order that it names was made with another provider.'
  if (event.kind !== 'succeeded') return null
  if (event.currency !== 'usd') return 'It was paid in another currency.'
  // An order that was never changed was never to be paid by another sum.
  return event.amountCents === order.amount_cents || order.revision > 1 ? null : 'The amount is not the order’s.'
}

const ANOTHER = 'The order was changed while it was being paid: another sum came than its own, and is refunded.'

/** What a bank's question asks of a person. */
function questionOf(event: Told): string | null {
  if (event.kind !== 'inquiry') return null
  const by = event.answerBy === null ? '' : ` by ${new Date(event.answerBy).toISOString().slice(0, 10)}`
  const what = event.takes
    ? `disputes this payment, and takes back $${(event.amountCents / 100).toFixed(2)}`
    : 'asks about this payment, and has taken nothing'
  return `The buyer’s bank ${what}. Please answer it at the provider${by}.`
}

const inFlux = () => new Refused('unavailable', 'That order is being changed. Please send this again.')

type Record = { state: 'applied' | 'parked' | 'ignored'; reason: string | null; now: Millis; orderId?: string }

/** Writes an event down by itself: one that changes no order. */
export async function keep(
  d1: D1Database,
  event: Pick<ProviderEvent, 'id' | 'type'> & Partial<Pick<PaymentEvent, 'intentId' | 'orderId'>>,
  { state, reason, now, orderId }: Record,
): Promise<void> {
  if (state === 'parked') console.error(JSON.stringify({ at: 'payment-event', type: event.type, reason }))
  await d1
    .prepare(`${RECORD} WHERE true ON CONFLICT DO NOTHING`)
    .bind(
      event.id,
      event.type,
      state,
      reason,
      orderId ?? event.orderId ?? null,
      event.intentId ?? null,
      newId('dlv'),
      now,
    )
    .run()
}
