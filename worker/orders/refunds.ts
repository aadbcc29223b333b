import { recordAuditIfChanged } from '../audit/audit'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { type PaymentProvider, ProviderFailed, ProviderRejected } from '../payments/provider'
import { orderNotFound } from './orders'
import { FIRST_RETRY_MS, SCHEDULE_RETRY } from './retries'

type Deps = { db: Db; payments: PaymentProvider; at: Millis }
type PendingRefund = { id: string; paymentIntentId: string; attempt: number }

/**
 * Makes the refunds that are wanted, of one order or of all that are due. What the provider did not take stays wanted;
 * what it refuses is for a person, who finds it at the desk. That the money is back is said by its webhook alone.
 */
export async function sendPendingRefunds({ db, payments, at }: Deps, orderId: string | null = null): Promise<void> {
  const d1 = db.$client
  // Claimed first, as in callOff: whoever runs beside us takes other orders, and a dead one's claim ends after a while.
  const { results } = await d1
    .prepare(
      `UPDATE orders SET retry_at = ?3 + ${FIRST_RETRY_MS} WHERE id IN (SELECT id FROM orders
         WHERE refund_wanted_at IS NOT NULL AND refund_sent_at IS NULL AND payment_intent_id IS NOT NULL AND provider = ?2
           AND retry_at <= ?3 AND (?1 IS NULL OR id = ?1)
         ORDER BY retry_at LIMIT 25)
       RETURNING id, payment_intent_id AS paymentIntentId, refund_attempt AS attempt`,
    )
    .bind(orderId, payments.provider, at)
    .all<PendingRefund>()
  for (const { id, paymentIntentId, attempt } of results) {
    const outcome = await payments.refund({ intentId: paymentIntentId, orderId: id, attempt }).then(
      () => 'sent' as const,
      (error: Error) => {
        console.error(JSON.stringify({ at: 'refund', order: id, error: error.constructor.name }))
        if (error instanceof ProviderFailed) return 'failed' as const
        return error instanceof ProviderRejected ? ('refused' as const) : ('again' as const)
      },
    )
    // Its failure stays under that key. The whole payment cannot go back twice: another key may say so, and is right.
    if (outcome === 'failed')
      await d1
        .prepare('UPDATE orders SET refund_attempt = ?2 + 1 WHERE id = ?1 AND refund_attempt = ?2')
        .bind(id, attempt)
        .run()
    await (outcome === 'again' || outcome === 'failed'
      ? d1.prepare(SCHEDULE_RETRY).bind(id, at).run()
      : d1
          .prepare(
            `UPDATE orders SET refund_sent_at = coalesce(refund_sent_at, ?2), tries = 0, retry_at = 0,
               refund_refused_at = iif(?3 = 'refused', ?2, refund_refused_at)
             WHERE id = ?1 AND refund_attempt = ?4`,
          )
          .bind(id, at, outcome, attempt)
          .run())
  }
}

/**
 * An administrator wants an order's money to go back, for the first time or after it was refused: written down with the
 * audit, then asked of the provider.
 * @throws AppError `not_found`; `conflict` unless the order is paid through a provider and no refund is under way.
 */
export async function refundOrder(
  { db, payments, at }: Deps,
  { id, actorId, reason }: { id: string; actorId: number; reason: string },
): Promise<void> {
  const d1 = db.$client
  const [updated, , order] = await d1.batch([
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
    recordAuditIfChanged(d1, { actorId, action: 'order.refunded', subject: `order:${id}`, detail: { reason }, at }),
    d1.prepare('SELECT status, refund_wanted_at AS wanted FROM orders WHERE id = ?1').bind(id),
  ])
  const [row] = (order?.results ?? []) as { status: string; wanted: number | null }[]
  if (!row) throw orderNotFound()
  if (updated?.results.length !== 1) throw new AppError('conflict', refundErrorMessage(row))
  await sendPendingRefunds({ db, payments, at }, id)
}

function refundErrorMessage({ status, wanted }: { status: string; wanted: number | null }): string {
  if (wanted !== null || status === 'refunded') return 'This order is being refunded already.'
  if (status !== 'paid') return 'Only a paid order can be refunded.'
  return 'This order was not paid through the payments that are set up now. Please refund it where it was paid.'
}
