import type { FormUser } from '../email/email-quotas'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import type { EventDeps } from '../payments/payments'
import { mapProviderErrors } from '../payments/provider'
import { buyerEmails } from './emails'
import { CLEAR_RESERVATION_HOLDER, SHIPS_GOODS } from './orders'
import { PURCHASE_POINTS } from './settle'

type FreeOrderDeps = Pick<EventDeps, 'db' | 'payments' | 'secret' | 'origin'> & { at: Millis }

/** SQL over `orders`: pending with a total of 0 and reserved stock; the email and all that delivery needs are known. */
const IS_COMPLETE = `(orders.status = 'pending' AND orders.amount_cents = 0 AND orders.held = orders.units AND orders.email IS NOT NULL
  AND (NOT EXISTS (SELECT 1 FROM order_lines WHERE order_id = orders.id AND kind = 'shipped')
    OR (orders.shipping_method IS NOT NULL AND (NOT ${SHIPS_GOODS} OR orders.shipping_address IS NOT NULL))))`

/**
 * Marks an order of total 0 as paid, with points and receipt, without the provider. False if it is not complete.
 * The receipt counts towards the quotas of `user`, because without a payment anyone could send receipts to strangers.
 * @throws AppError `order_paid` if an earlier total was paid at the provider meanwhile, `unavailable`, `conflict`.
 */
export async function payFreeOrder(
  { db, payments, secret, origin, at }: FreeOrderDeps,
  orderId: string,
  user: FormUser,
): Promise<boolean> {
  const d1 = db.$client
  const order = await d1
    .prepare(`SELECT payment_intent_id AS intentId FROM orders WHERE id = ?1 AND ${IS_COMPLETE}`)
    .bind(orderId)
    .first<{ intentId: string | null }>()
  if (!order) return false
  // A code made the order free. Its earlier total must not be paid as well.
  if (order.intentId !== null && (await mapProviderErrors(payments.closeIntent({ intentId: order.intentId, orderId }))))
    throw new AppError('order_paid', 'This order has already been paid.')
  const [paid] = await d1.batch([
    d1
      .prepare(
        `UPDATE orders SET status = 'paid', paid_at = ?2, intent_open = 0, ${CLEAR_RESERVATION_HOLDER}
         WHERE id = ?1 AND ${IS_COMPLETE} RETURNING id`,
      )
      .bind(orderId, at),
    ...PURCHASE_POINTS.map((statement) => d1.prepare(statement).bind(orderId, at)),
    ...(await buyerEmails({ db, secret, origin }, { orderId, at, paidAt: at, requestedBy: user })),
  ])
  return paid?.results.length === 1
}
