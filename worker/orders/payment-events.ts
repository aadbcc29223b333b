import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, utcDay } from '../lib/clock'
import { newId } from '../lib/crypto'
import { formatPrice } from '../lib/price'
import { type EventDeps, recordEvent } from '../payments/payments'
import type { PaymentProvider, ProviderPaymentEvent } from '../payments/provider'
import { buyerEmails } from './emails'
import type { MissingAtPricing } from './orders.table'
import { reverseFailedRefund } from './partial-refunds'
import { sendFullRefunds } from './refunds'
import { PURCHASE_POINTS, SETTLE_ORDER, updateForEvent, wrongAmountUpdate } from './settle'

/** What an event is compared with. */
type EventOrder = {
  currency: string
  missing: MissingAtPricing | null
  id: string
  amountCents: number
  provider: string | null
  paymentIntentId: string | null
  revision: number
  intentRevision: number
  reservedUntil: Millis | null
}

/** Applies a payment event to its order, then sends a refund that the event made necessary. */
export async function onPaymentEvent(deps: EventDeps, event: ProviderPaymentEvent, at: Millis): Promise<void> {
  const applied = await applyPaymentEvent(deps, event, at)
  if (applied) await sendFullRefunds({ ...deps, at }, applied.orderId)
}

/**
 * Records the event and updates the order, its points and emails in one batch; idempotent per event id. An event that
 * does not fit its order is parked for an administrator; one that names no order is ignored. Both return null.
 * @throws AppError `unavailable` while the order's amount is being changed: the provider sends the event again.
 */
async function applyPaymentEvent(
  { db, payments, secret, origin }: EventDeps,
  event: ProviderPaymentEvent,
  now: Millis,
): Promise<{ orderId: string } | null> {
  const order = await findOrder(db, event)
  // The provider's account also has payments without an order: subscription renewals, external checkout links.
  if (!order && event.orderId === null) {
    await recordEvent(db, event, { state: 'ignored', at: now })
    return null
  }
  const mismatch = findMismatch(order, event, payments)
  if (!order || mismatch !== null) {
    await recordEvent(db, event, { state: 'parked', reason: mismatch ?? 'No order of ours has this payment.', at: now })
    return null
  }
  // A payment made directly at the provider can precede the order's final total. `missing` was stored when
  // the order was priced, because the settings may have changed since then.
  const missing = event.kind === 'succeeded' ? order.missing : null
  const isWrongAmount = event.kind === 'succeeded' && (missing !== null || event.amountCents !== order.amountCents)
  if (isWrongAmount && missing === null && order.intentRevision < order.revision && now < (order.reservedUntil ?? 0))
    throw orderBeingChangedError()
  const update = isWrongAmount ? wrongAmountUpdate({ at: event.at, now }) : updateForEvent(event, { at: event.at, now })
  const delivery = newId('dlv')
  const eventParams = [order.id, event.id, delivery] as const
  const wrongAmountReason = missing === null ? WRONG_AMOUNT_REASON : MISSING_REASONS[missing]
  const parkedReason = isWrongAmount ? wrongAmountReason : reviewReason(event, order)
  const state = parkedReason === null ? 'applied' : 'parked'
  const d1 = db.$client
  const results = await d1.batch([
    d1
      .prepare(
        // The amount is checked again: the order may have changed since it was read.
        `INSERT INTO payment_events (id, type, state, reason, order_id, payment_intent_id, delivery, received_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM orders WHERE id = ?5 AND amount_cents = ?9 ON CONFLICT DO NOTHING`,
      )
      .bind(event.id, event.type, state, parkedReason, order.id, event.intentId, delivery, now, order.amountCents),
    d1
      .prepare(
        `UPDATE orders SET ${update.set} WHERE id = ?1 AND ${update.where}
         AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?2 AND delivery = ?3)`,
      )
      .bind(...eventParams, ...update.values),
    ...(event.kind === 'refund_failed' && event.refundId !== null
      ? reverseFailedRefund(d1, { orderId: order.id, eventId: event.id, delivery, refundId: event.refundId, at: now })
      : []),
    d1.prepare(SETTLE_ORDER).bind(...eventParams, now),
    ...PURCHASE_POINTS.map((statement) => d1.prepare(statement).bind(order.id, now)),
    ...(await buyerEmails({ db, secret, origin }, { orderId: order.id, at: now, paidAt: event.at })),
    d1.prepare('SELECT 1 FROM payment_events WHERE id = ?1').bind(event.id),
  ])
  if (results.at(-1)?.results.length !== 1) throw orderBeingChangedError()
  return { orderId: order.id }
}

const findOrder = (db: Db, { intentId, orderId }: ProviderPaymentEvent): Promise<EventOrder | null> =>
  db.$client
    .prepare(
      `SELECT id, amount_cents AS amountCents, currency, provider, payment_intent_id AS paymentIntentId, revision,
         intent_revision AS intentRevision, reserved_until AS reservedUntil, missing
       FROM orders
       WHERE payment_intent_id = ?1 OR id = ?2 ORDER BY payment_intent_id = ?1 DESC LIMIT 1`,
    )
    .bind(intentId, orderId)
    .first<EventOrder>()

/** Why an event does not fit its order; null if it does. */
function findMismatch(
  order: EventOrder | null,
  event: ProviderPaymentEvent,
  payments: Pick<PaymentProvider, 'provider' | 'isLive'>,
): string | null {
  if (event.isLive !== payments.isLive)
    return event.isLive ? 'A live event among test payments.' : 'A test event among live payments.'
  if (!order) return null
  if (order.paymentIntentId !== null && event.intentId !== null && order.paymentIntentId !== event.intentId)
    return 'The event names an order that has another payment.'
  if (order.provider !== payments.provider) return 'The event names an order of another provider.'
  if (event.kind !== 'succeeded') return null
  if (event.currency.toUpperCase() !== order.currency) return 'It was paid in another currency.'
  // A changed order (revision above 1) may have been paid with its old amount: that is refunded, not parked.
  return event.amountCents === order.amountCents || order.revision > 1 ? null : 'The amount is not the order’s.'
}

const WRONG_AMOUNT_REASON =
  'The order was changed while it was being paid. The amount paid is not its total, and is refunded.'

const MISSING_REASONS: Readonly<Record<MissingAtPricing, string>> = {
  person:
    'The order was paid with a code that is limited per person, but without an email or an account. It is refunded.',
  destination:
    'The order was paid without an address, so without shipping and tax. The amount paid is not its total, and is refunded.',
  tax_location:
    'The order was paid without a country, so without its tax. The amount paid is not its total, and is refunded.',
}

/** Why an administrator must look at an event that was applied; null for most events. */
function reviewReason(event: ProviderPaymentEvent, order: EventOrder): string | null {
  if (event.kind === 'dispute_opened') return disputeReason(event, order)
  return event.kind === 'refund_failed' && event.refundId !== null ? failedRefundReason(event, order) : null
}

type DisputeOpened = Extract<ProviderPaymentEvent, { kind: 'dispute_opened' }>

function disputeReason(event: DisputeOpened, { currency }: EventOrder): string {
  const by = event.respondBy === null ? '' : ` by ${utcDay(event.respondBy)}`
  const explanation = event.fundsWithdrawn
    ? `disputes this payment, and takes back ${formatPrice(event.amountCents, currency)}. Do not ship the order meanwhile`
    : 'asks about this payment, and has taken nothing'
  return `The buyer’s bank ${explanation}. Please answer it at the provider${by}.`
}

const failedRefundReason = ({ amountCents }: { amountCents: number }, { currency }: EventOrder) =>
  `A refund of ${formatPrice(amountCents, currency)} did not reach the buyer. Please refund its items again, but refund those that returned to stock at the provider.`

const orderBeingChangedError = () => new AppError('unavailable', 'That order is being changed. Please send this again.')
