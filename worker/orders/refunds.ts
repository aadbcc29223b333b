import { recordAuditIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { logError } from '../lib/log'
import { type PaymentProvider, ProviderFailed, ProviderRejected } from '../payments/provider'
import { orderNotFoundError } from './orders'

/** Lease of an order during a run, and first delay after a failed call. */
export const CLAIM_MS: Millis = 5 * MINUTE_MS
export const MAX_RETRY_MS: Millis = 6 * HOUR_MS

/** SQL of the exponential backoff after a failed provider call. Binds ?1 order, ?2 now. */
export const SCHEDULE_RETRY = `UPDATE orders SET retry_at = ?2 + min(${CLAIM_MS} << min(tries, 10), ${MAX_RETRY_MS}), tries = tries + 1
  WHERE id = ?1`

/** Maximum refunds per run; the next run continues. */
const BATCH_SIZE = 25

type RefundDeps = { db: Db; payments: PaymentProvider; at: Millis }
type PendingRefund = { id: string; paymentIntentId: string; attempt: number }

/**
 * Sends the requested full refund of one order, or of all that are due. Failed calls are retried later; a rejected
 * refund is shown to administrators. Only the webhook marks an order as refunded.
 */
export async function sendFullRefunds({ db, payments, at }: RefundDeps, orderId: string | null = null): Promise<void> {
  const d1 = db.$client
  // Setting `retry_at` claims the orders: concurrent runs get different ones, and a crashed run's claim expires.
  const { results } = await d1
    .prepare(
      `UPDATE orders SET retry_at = ?3 + ${CLAIM_MS} WHERE id IN (SELECT id FROM orders
         WHERE refund_wanted_at IS NOT NULL AND refund_sent_at IS NULL AND payment_intent_id IS NOT NULL AND provider = ?2
           AND retry_at <= ?3 AND (?1 IS NULL OR id = ?1)
         ORDER BY retry_at LIMIT ${BATCH_SIZE})
       RETURNING id, payment_intent_id AS paymentIntentId, refund_attempt AS attempt`,
    )
    .bind(orderId, payments.provider, at)
    .all<PendingRefund>()
  for (const { id, paymentIntentId, attempt } of results) {
    const outcome = await payments.refund({ intentId: paymentIntentId, orderId: id, attempt }).then(
      () => 'sent' as const,
      (error: Error) => {
        logError('refund', error, { order: id })
        if (error instanceof ProviderFailed) return 'failed' as const
        return error instanceof ProviderRejected ? ('rejected' as const) : ('unreachable' as const)
      },
    )
    // The provider repeats a failure for the same idempotency key, so the next call uses another attempt number.
    // It cannot refund twice, because each call refunds only what is left.
    if (outcome === 'failed')
      await d1
        .prepare('UPDATE orders SET refund_attempt = ?2 + 1 WHERE id = ?1 AND refund_attempt = ?2')
        .bind(id, attempt)
        .run()
    await (outcome === 'unreachable' || outcome === 'failed'
      ? d1.prepare(SCHEDULE_RETRY).bind(id, at).run()
      : d1
          .prepare(
            `UPDATE orders SET refund_sent_at = coalesce(refund_sent_at, ?2), tries = 0, retry_at = 0,
               refund_refused_at = iif(?3, ?2, refund_refused_at)
             WHERE id = ?1 AND refund_attempt = ?4`,
          )
          .bind(id, at, outcome === 'rejected' ? 1 : 0, attempt)
          .run())
  }
}

/**
 * Requests a full refund, or repeats a rejected one, records it in the audit log and sends it to the provider.
 * @throws AppError `not_found`; `conflict` if a refund is pending, or the order is not paid through the current
 *   provider.
 */
export async function refundOrder(
  { db, payments, at }: RefundDeps,
  { id, actorId, reason }: { id: string; actorId: number; reason: string },
): Promise<void> {
  const d1 = db.$client
  const [updated, , orderResult] = await d1.batch([
    d1
      .prepare(
        `UPDATE orders SET refund_reason = coalesce(refund_reason, 'requested'), refund_wanted_at = ?2,
           refund_sent_at = NULL, refund_refused_at = NULL, tries = 0, retry_at = 0,
           refund_attempt = refund_attempt + (refund_refused_at IS NOT NULL)
         WHERE id = ?1 AND payment_intent_id IS NOT NULL AND provider = ?3
           AND (refund_refused_at IS NOT NULL OR (status = 'paid' AND refund_wanted_at IS NULL))
         RETURNING id`,
      )
      .bind(id, at, payments.provider),
    recordAuditIfChanged(db, { actorId, action: 'order.refunded', subject: `order:${id}`, detail: { reason }, at }),
    d1
      .prepare(
        `SELECT status, amount_cents AS amountCents, refund_wanted_at AS requestedAt, refund_refused_at AS refusedAt
         FROM orders WHERE id = ?1`,
      )
      .bind(id),
  ])
  const [row] = (orderResult?.results ?? []) as RefundState[]
  if (!row) throw orderNotFoundError()
  if (updated?.results.length !== 1) throw new AppError('conflict', refundErrorMessage(row))
  await sendFullRefunds({ db, payments, at }, id)
}

type RefundState = { status: string; amountCents: number; requestedAt: Millis | null; refusedAt: Millis | null }

const OTHER_PROVIDER =
  'This order was not paid through the payments that are set up now. Please refund it at that provider.'

function refundErrorMessage({ status, amountCents, requestedAt, refusedAt }: RefundState): string {
  // A rejected refund can be repeated whatever the order's status, but at the same provider only.
  if (refusedAt !== null) return OTHER_PROVIDER
  if (status === 'refunded') return 'This order has been refunded already.'
  if (requestedAt !== null) return 'This order is being refunded already.'
  if (status !== 'paid') return 'Only a paid order can be refunded.'
  if (amountCents === 0) return 'There is nothing to refund: this order was free.'
  return OTHER_PROVIDER
}
