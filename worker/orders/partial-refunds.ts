import { eq } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import { unitsShare } from '../contract/pricing'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { logError } from '../lib/log'
import { type PaymentProvider, ProviderFailed, ProviderRejected } from '../payments/provider'
import { orderNotFoundError } from './orders'
import { orderLines, orders, type RefundedLine } from './orders.table'
import { CLAIM_MS, MAX_RETRY_MS } from './refunds'

type RefundDeps = { db: Db; payments: PaymentProvider; at: Millis }

type RefundLinesInput = {
  id: string
  actorId: number
  reason: string
  lines: readonly { lineId: string; quantity: number; restock: boolean }[]
  shippingCents: number
}

/**
 * Refunds units of lines, and shipping, of a paid order; `restock` returns units to stock once the provider accepts.
 * @throws AppError `not_found`; `bad_input` for more than is left; `conflict` unless the order is paid through the
 *   current provider, and while it is refunded as a whole.
 */
export async function refundLines({ db, payments, at }: RefundDeps, request: RefundLinesInput): Promise<void> {
  const { id, actorId, reason, shippingCents } = request
  const [[order], rows] = await db.batch([
    db.select().from(orders).where(eq(orders.id, id)),
    db.select().from(orderLines).where(eq(orderLines.orderId, id)),
  ])
  if (!order) throw orderNotFoundError()
  const lines = request.lines.map(({ lineId, quantity, restock }): RefundedLine => {
    const row = rows.find((line) => line.id === lineId)
    if (!row) throw new AppError('bad_input', 'That line is not part of this order.')
    const unitsLeft = row.quantity - row.refundedQuantity
    if (quantity > unitsLeft)
      throw new AppError('bad_input', `Only ${unitsLeft} of ${row.productName} can still be refunded.`)
    const paidCents = row.quantity * row.unitPriceCents - row.discountCents + (order.taxIncluded ? 0 : row.taxCents)
    return {
      lineId,
      quantity,
      restock,
      cents: unitsShare(paidCents, row.quantity, { start: row.refundedQuantity, count: quantity }),
    }
  })
  const lineTaxCents = rows.reduce((sum, { taxCents }) => sum + taxCents, 0)
  const paidShippingCents = order.shippingCents + (order.taxIncluded ? 0 : order.taxCents - lineTaxCents)
  if (shippingCents > paidShippingCents - order.refundedShippingCents)
    throw new AppError('bad_input', 'That is more than can still be refunded for shipping.')
  const amountCents = lines.reduce((sum, { cents }) => sum + cents, shippingCents)
  if (amountCents === 0) throw new AppError('bad_input', 'There is nothing to refund: these items were free.')
  const d1 = db.$client
  const refundId = newId('refund')
  const [inserted] = await d1.batch([
    d1
      .prepare(
        // Money and units are checked in the statement that writes: two administrators may refund at once.
        `INSERT INTO order_refunds (id, order_id, amount_cents, shipping_cents, lines, requested_at)
         SELECT ?2, orders.id, ?3, ?4, ?5, ?6 FROM orders
         WHERE orders.id = ?1 AND status = 'paid' AND payment_intent_id IS NOT NULL AND provider = ?7
           AND refund_wanted_at IS NULL
           AND max(refunded_cents - failed_refund_cents, (SELECT coalesce(sum(refund.amount_cents), 0)
             FROM order_refunds refund WHERE refund.order_id = orders.id AND refund.refused_at IS NULL)) + ?3
             <= orders.amount_cents
           AND refunded_shipping_cents = ?8
           AND NOT EXISTS (SELECT 1 FROM json_each(?9) read LEFT JOIN order_lines line ON line.id = read.key
             WHERE line.refunded_quantity IS NOT read.value)
         RETURNING id`,
      )
      .bind(
        id,
        refundId,
        amountCents,
        shippingCents,
        JSON.stringify(lines),
        at,
        payments.provider,
        order.refundedShippingCents,
        JSON.stringify(Object.fromEntries(rows.map((row) => [row.id, row.refundedQuantity]))),
      ),
    recordAuditIfChanged(db, {
      actorId,
      action: 'order.refunded',
      subject: `order:${id}`,
      detail: { reason, amountCents },
      at,
    }),
    ...moveRefundedUnits(d1, refundId, 1),
  ])
  if (inserted?.results.length !== 1) throw await refundConflictError(db, id)
  await sendPartialRefunds({ db, payments, at }, { orderId: id, throwRejection: true })
}

async function refundConflictError(db: Db, id: string): Promise<AppError> {
  const [order] = await db.select().from(orders).where(eq(orders.id, id))
  if (order && order.status !== 'paid') return new AppError('conflict', 'Only a paid order can be refunded.')
  if (order && order.refundRequestedAt !== null)
    return new AppError('conflict', 'This order is being refunded already.')
  return new AppError(
    'conflict',
    'This order was just refunded by someone else, or was paid elsewhere. Please check it and try again.',
  )
}

/** Statements that add a refund to the refunded units and cents of its order's lines (1), or subtract it (-1). */
const moveRefundedUnits = (d1: D1Database, refundId: string, sign: 1 | -1): D1PreparedStatement[] => [
  d1
    .prepare(
      `UPDATE order_lines SET refunded_quantity = refunded_quantity + ?2 * refunded.quantity,
         refunded_cents = refunded_cents + ?2 * refunded.cents
       FROM (SELECT value ->> 'lineId' AS line_id, value ->> 'quantity' AS quantity, value ->> 'cents' AS cents
         FROM order_refunds refund JOIN json_each(refund.lines) WHERE refund.id = ?1) refunded
       WHERE order_lines.id = refunded.line_id`,
    )
    .bind(refundId, sign),
  d1
    .prepare(
      `UPDATE orders SET refunded_shipping_cents = refunded_shipping_cents + ?2 * refund.shipping_cents
       FROM (SELECT order_id, shipping_cents FROM order_refunds WHERE id = ?1) refund
       WHERE orders.id = refund.order_id`,
    )
    .bind(refundId, sign),
]

/**
 * Statements that reverse a sent refund that failed: the amount, and the units that were not restocked. They apply
 * once, in the batch that inserts the event's row.
 */
export function reverseFailedRefund(
  d1: D1Database,
  {
    orderId,
    eventId,
    delivery,
    refundId,
    at,
  }: Record<'orderId' | 'eventId' | 'delivery' | 'refundId', string> & {
    at: Millis
  },
): D1PreparedStatement[] {
  const isFailedRefund = `refund.id = ?1 AND refund.order_id = ?2 AND refund.refused_at IS NULL
    AND EXISTS (SELECT 1 FROM payment_events WHERE id = ?3 AND delivery = ?4)`
  const params = [refundId, orderId, eventId, delivery] as const
  return [
    d1
      .prepare(
        `UPDATE order_lines SET refunded_cents = refunded_cents - failed.cents,
           refunded_quantity = refunded_quantity - failed.quantity
         FROM (SELECT value ->> 'lineId' AS line_id, value ->> 'cents' AS cents,
             iif(value ->> 'restock', 0, value ->> 'quantity') AS quantity
           FROM order_refunds refund JOIN json_each(refund.lines) WHERE ${isFailedRefund}) failed
         WHERE order_lines.id = failed.line_id`,
      )
      .bind(...params),
    d1
      .prepare(
        `UPDATE orders SET refunded_shipping_cents = refunded_shipping_cents - failed.shipping_cents
         FROM (SELECT * FROM order_refunds refund WHERE ${isFailedRefund}) failed WHERE orders.id = failed.order_id`,
      )
      .bind(...params),
    d1.prepare(`UPDATE order_refunds AS refund SET refused_at = ?5 WHERE ${isFailedRefund}`).bind(...params, at),
  ]
}

type PendingRefund = { id: string; orderId: string; amountCents: number; attempt: number; paymentIntentId: string }

/** Maximum refunds per run; the next run continues. */
const BATCH_SIZE = 25

/**
 * Sends partial refunds of one order, or all that are due. Failed calls are retried later; the units and cents of a
 * rejected refund can be refunded again.
 * @throws AppError `conflict` for a rejection if `throwRejection`.
 */
export async function sendPartialRefunds(
  { db, payments, at }: RefundDeps,
  { orderId = null, throwRejection = false }: { orderId?: string | null; throwRejection?: boolean } = {},
): Promise<void> {
  const d1 = db.$client
  // Setting `retry_at` claims the refunds, as in sendFullRefunds.
  const { results } = await d1
    .prepare(
      `UPDATE order_refunds SET retry_at = ?3 + ${CLAIM_MS} WHERE id IN (
         SELECT refund.id FROM order_refunds refund JOIN orders ON orders.id = refund.order_id
         WHERE refund.sent_at IS NULL AND refund.refused_at IS NULL AND refund.retry_at <= ?3
           AND orders.provider = ?2 AND (?1 IS NULL OR orders.id = ?1)
         ORDER BY refund.retry_at LIMIT ${BATCH_SIZE})
       RETURNING id, order_id AS orderId, amount_cents AS amountCents, attempt,
         (SELECT payment_intent_id FROM orders WHERE id = order_refunds.order_id) AS paymentIntentId`,
    )
    .bind(orderId, payments.provider, at)
    .all<PendingRefund>()
  let rejection: Error | null = null
  for (const refund of results)
    await payments
      .refund({
        intentId: refund.paymentIntentId,
        orderId: refund.orderId,
        attempt: refund.attempt,
        part: { refundId: refund.id, amountCents: refund.amountCents },
      })
      .then(
        () => d1.batch(acceptRefund(d1, refund.id, at)),
        async (error: Error) => {
          logError('refund', error, { order: refund.orderId })
          if (error instanceof ProviderRejected) {
            rejection = error
            await d1.batch([
              d1.prepare('UPDATE order_refunds SET refused_at = ?2 WHERE id = ?1').bind(refund.id, at),
              ...moveRefundedUnits(d1, refund.id, -1),
            ])
          } else
            await d1
              .prepare(SCHEDULE_PARTIAL_REFUND_RETRY)
              .bind(refund.id, at, error instanceof ProviderFailed ? 1 : 0)
              .run()
        },
      )
  if (rejection && throwRejection)
    throw new AppError('conflict', 'The payment service rejected this refund. Nothing was refunded.', {
      cause: rejection,
    })
}

/** Exponential backoff like SCHEDULE_RETRY. ?3 is 1 after ProviderFailed: the next call needs a new idempotency key. */
const SCHEDULE_PARTIAL_REFUND_RETRY = `
  UPDATE order_refunds SET retry_at = ?2 + min(${CLAIM_MS} << min(tries, 10), ${MAX_RETRY_MS}), tries = tries + 1,
  attempt = attempt + ?3 WHERE id = ?1`

/** Statements that mark a refund as sent and return its restocked units to stock, once. */
const acceptRefund = (d1: D1Database, refundId: string, at: Millis): D1PreparedStatement[] => [
  d1
    .prepare(
      `UPDATE order_lines SET restocked_quantity = restocked_quantity + restocked.quantity,
         held = iif(held = 0, 0, order_lines.quantity - restocked_quantity - restocked.quantity)
       FROM (SELECT value ->> 'lineId' AS line_id, value ->> 'quantity' AS quantity
         FROM order_refunds refund JOIN json_each(refund.lines)
         WHERE refund.id = ?1 AND refund.sent_at IS NULL AND value ->> 'restock') restocked
       WHERE order_lines.id = restocked.line_id`,
    )
    .bind(refundId),
  d1.prepare('UPDATE order_refunds SET sent_at = ?2, tries = 0, retry_at = 0 WHERE id = ?1').bind(refundId, at),
]
