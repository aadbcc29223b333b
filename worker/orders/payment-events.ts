import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import type { PaymentEvent, PaymentProvider, ProviderEvent } from '../payments/provider'
import { buyerEmails } from './buyer-emails'
import { updateForEvent, WRONG_AMOUNT_UPDATE } from './event-updates'
import { AWARD_PURCHASE_POINTS, REVERSE_PURCHASE_POINTS } from './purchase-points'
import { SETTLE } from './settle'

type ProviderPaymentEvent = ProviderEvent & PaymentEvent
type Deps = {
  db: Db
  payments: Pick<PaymentProvider, 'provider' | 'live'>
  signingSecret: string
  /** What links in mails begin with; null where it is not known. */
  origin: string | null
}
type OrderRow = {
  id: string
  amount_cents: number
  provider: string | null
  payment_intent_id: string | null
  revision: number
  intent_revision: number
  reserved_until: Millis | null
}

const FIND_ORDER = `SELECT id, amount_cents, provider, payment_intent_id, revision, intent_revision, reserved_until FROM orders
  WHERE payment_intent_id = ?1 OR id = ?2 ORDER BY payment_intent_id = ?1 DESC LIMIT 1`

const INSERT_EVENT = `INSERT INTO payment_events (id, type, state, reason, order_id, payment_intent_id, delivery, received_at)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8`

/**
 * Takes in what the provider says of a payment: the event by its id, the change of its order and the mail that follows
 * in one batch, once however often it comes and in whatever order. What names an order and does not fit it is parked for
 * a person and changes nothing (K7); what names none is nobody's business here. Returns the order that it was about, null
 * where there is none.
 *
 * Another sum than the order's is the buyer's own doing where they changed the order: while that may still be under way
 * the provider is asked to tell it later, and where it is over the money goes back.
 * @throws AppError `unavailable` while the order's amount is just being changed: the provider sends the event again.
 */
export async function applyPaymentEvent(
  { db, payments, signingSecret, origin }: Deps,
  event: ProviderPaymentEvent,
  now: Millis,
): Promise<{ orderId: string } | null> {
  const d1 = db.$client
  const order = await d1.prepare(FIND_ORDER).bind(event.intentId, event.orderId).first<OrderRow>()
  // The account has other business: members' renewals, external checkout links.
  if (!order && event.orderId === null) {
    await recordEvent(d1, event, { state: 'ignored', reason: null, now })
    return null
  }
  const mismatch = findMismatch(order, event, payments)
  if (!order || mismatch !== null) {
    await recordEvent(d1, event, { state: 'parked', reason: mismatch ?? 'No order of ours has this payment.', now })
    return null
  }
  const wrongAmount = event.kind === 'succeeded' && event.amountCents !== order.amount_cents
  if (wrongAmount && order.intent_revision < order.revision && now < (order.reserved_until ?? 0)) throw orderChanging()
  const update = wrongAmount ? WRONG_AMOUNT_UPDATE({ at: event.at, now }) : updateForEvent(event, { at: event.at, now })
  if (!update) {
    await recordEvent(d1, event, { state: 'parked', reason: inquiryReason(event), now, orderId: order.id })
    return { orderId: order.id }
  }
  const delivery = newId('dlv')
  const eventParams = [order.id, event.id, delivery] as const
  const outcome = wrongAmount ? (['parked', WRONG_AMOUNT_REASON] as const) : (['applied', null] as const)
  const emails = await buyerEmails(db, { orderId: order.id, signingSecret, origin, at: now, paidAt: event.at })
  const results = await d1.batch([
    // The amount stands in the statement, too: it may have been changed since it was read.
    d1
      .prepare(`${INSERT_EVENT} FROM orders WHERE id = ?5 AND amount_cents = ?9 ON CONFLICT DO NOTHING`)
      .bind(event.id, event.type, ...outcome, order.id, event.intentId, delivery, now, order.amount_cents),
    d1
      .prepare(
        `UPDATE orders SET ${update.set} WHERE id = ?1 AND ${update.where}
         AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?2 AND delivery = ?3)`,
      )
      .bind(...eventParams, ...update.values),
    d1.prepare(SETTLE).bind(...eventParams, now),
    d1.prepare(AWARD_PURCHASE_POINTS).bind(order.id, now),
    ...REVERSE_PURCHASE_POINTS.map((statement) => d1.prepare(statement).bind(order.id, now)),
    ...emails,
    d1.prepare('SELECT 1 FROM payment_events WHERE id = ?1').bind(event.id),
  ])
  if (results.at(-1)?.results.length !== 1) throw orderChanging()
  return { orderId: order.id }
}

/** Why an event does not fit the order that it names; null where it does. */
function findMismatch(
  order: OrderRow | null,
  event: ProviderPaymentEvent,
  payments: Pick<PaymentProvider, 'provider' | 'live'>,
): string | null {
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

const WRONG_AMOUNT_REASON =
  'The order was changed while it was being paid: another sum came than its own, and is refunded.'

/** What a bank's question asks of a person. */
function inquiryReason(event: ProviderPaymentEvent): string | null {
  if (event.kind !== 'inquiry') return null
  const by = event.respondBy === null ? '' : ` by ${new Date(event.respondBy).toISOString().slice(0, 10)}`
  const what = event.fundsWithdrawn
    ? `disputes this payment, and takes back $${(event.amountCents / 100).toFixed(2)}`
    : 'asks about this payment, and has taken nothing'
  return `The buyer’s bank ${what}. Please answer it at the provider${by}.`
}

const orderChanging = () => new AppError('unavailable', 'That order is being changed. Please send this again.')

type EventRecord = { state: 'applied' | 'parked' | 'ignored'; reason: string | null; now: Millis; orderId?: string }

/** Writes an event down by itself: one that changes no order. */
export async function recordEvent(
  d1: D1Database,
  event: Pick<ProviderEvent, 'id' | 'type'> & Partial<Pick<PaymentEvent, 'intentId' | 'orderId'>>,
  { state, reason, now, orderId }: EventRecord,
): Promise<void> {
  if (state === 'parked') console.error(JSON.stringify({ at: 'payment-event', type: event.type, reason }))
  await d1
    .prepare(`${INSERT_EVENT} WHERE true ON CONFLICT DO NOTHING`)
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
