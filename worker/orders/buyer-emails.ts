import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import { enqueueEmailWhere } from '../email/outbox'
import type { Millis } from '../lib/clock'
import { products } from '../products/products.table'
import { siteQuery } from '../site/site'
import { receiptEmail, refundEmail } from './emails'
import { orderMessage } from './orders'
import { orders } from './orders.table'
import { receiptPath } from './receipt-link'

type BuyerEmailsInput = {
  orderId: string
  signingSecret: string
  origin: string | null
  at: Millis
  paidAt: Millis
  /** Where they go if the order has no mailbox yet: the one that the same batch writes. */
  email?: string | undefined
}

/** Why money goes back that came for nothing: the order is over by then, or refunded already. */
const UNFULFILLABLE_REASONS = ['late', 'sold_out', 'amount'] as const
const ORDER_WITH_EMAIL = 'SELECT 1 FROM orders WHERE id = ?11 AND email IS NOT NULL'

/**
 * The statements that write the mails of an order, for the batch that changes its state: of all that could follow the
 * one is written that the state then calls for, each once whatever is repeated. `paidAt` is the event's, where the order
 * has none yet.
 */
export async function buyerEmails(
  db: Db,
  { orderId, signingSecret, origin, at, paidAt, email }: BuyerEmailsInput,
): Promise<D1PreparedStatement[]> {
  const [[row], [artist]] = await db.batch([
    db
      .select({ order: orders, productName: products.name })
      .from(orders)
      .innerJoin(products, eq(products.id, orders.productId))
      .where(eq(orders.id, orderId)),
    siteQuery(db),
  ])
  const to = row?.order.email ?? email
  if (!row || !to || !artist) return []
  const { order, productName } = row
  const common = {
    siteName: artist.name,
    orderId: order.id,
    lines: [{ name: productName, quantity: order.quantity, amountCents: order.quantity * order.unitPriceCents }],
    extras:
      order.discountCents > 0
        ? [{ label: `Code ${order.promotionCode ?? ''}`.trim(), amountCents: -order.discountCents }]
        : [],
    totalCents: order.amountCents,
    url: origin === null ? null : `${origin}${await receiptPath(signingSecret, order.id)}`,
    isTest: order.isTest,
  }
  const values = [order.id]
  const refund = (reason: string | null) => ({
    to,
    email: refundEmail({ ...common, reason: reason ?? 'Your order has been refunded.' }),
    dedupeKey: `refund:${order.id}`,
    at,
  })
  const receipt = receiptEmail({ ...common, paidAt: order.paidAt ?? paidAt, timeZone: artist.timeZone })
  const d1 = db.$client
  return [
    enqueueEmailWhere(
      d1,
      { to, email: receipt, dedupeKey: `receipt:${order.id}`, at },
      { when: `EXISTS (${ORDER_WITH_EMAIL} AND status = 'paid')`, values },
    ),
    // An order that ran out is paid back only where its money came.
    ...UNFULFILLABLE_REASONS.map((refundReason) =>
      enqueueEmailWhere(
        d1,
        refund(orderMessage({ ...order, refundRefusedAt: null, status: 'expired', refundReason })),
        {
          when: `EXISTS (${ORDER_WITH_EMAIL} AND refund_reason = '${refundReason}'
          AND (status = 'refunded' OR (status = 'expired' AND refund_wanted_at IS NOT NULL)))`,
          values,
        },
      ),
    ),
    // A bank that takes its customer's money back tells them itself.
    enqueueEmailWhere(
      d1,
      refund(orderMessage({ ...order, refundRefusedAt: null, status: 'refunded', refundReason: 'requested' })),
      {
        when: `EXISTS (${ORDER_WITH_EMAIL} AND status = 'refunded' AND refunded_cents > 0 AND coalesce(refund_reason, '') NOT IN ('disputed', ${UNFULFILLABLE_REASONS.map((reason) => `'${reason}'`).join(', ')}))`,
        values,
      },
    ),
  ]
}
