import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { postedWhere } from '../mail/outbox'
import { receiptLetter, refundLetter } from '../shop/letters'
import { products } from '../shop/shop.table'
import { artistRows } from '../site/site'
import { messageFor } from './orders'
import { orders } from './orders.table'
import { receiptPath } from './receipt-link'

type Told = {
  orderId: string
  signingSecret: string
  origin: string | null
  at: Millis
  paidAt: Millis
  /** Where they go if the order has no mailbox yet: the one that the same batch writes. */
  email?: string | undefined
}

/** Why money goes back that came for nothing: the order is over by then, or refunded already. */
const CAUSES = ['late', 'sold_out', 'amount'] as const
const STANDS = 'SELECT 1 FROM orders WHERE id = ?11 AND email IS NOT NULL'

/**
 * The statements that write the mails of an order, for the batch that changes its state: of all that could follow the
 * one is written that the state then calls for, each once whatever is repeated. `paidAt` is the event's, where the order
 * has none yet.
 */
export async function buyerMails(
  db: Db,
  { orderId, signingSecret, origin, at, paidAt, email }: Told,
): Promise<D1PreparedStatement[]> {
  const [[found], [artist]] = await db.batch([
    db
      .select({ order: orders, productName: products.name })
      .from(orders)
      .innerJoin(products, eq(products.id, orders.productId))
      .where(eq(orders.id, orderId)),
    artistRows(db),
  ])
  const to = found?.order.email ?? email
  if (!found || !to || !artist) return []
  const { order, productName } = found
  const facts = {
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
  const refund = (why: string | null) => ({
    to,
    letter: refundLetter({ ...facts, why: why ?? 'Your order has been refunded.' }),
    dedupeKey: `refund:${order.id}`,
    at,
  })
  const receipt = receiptLetter({ ...facts, paidAt: order.paidAt ?? paidAt, timeZone: artist.timeZone })
  const d1 = db.$client
  return [
    postedWhere(
      d1,
      { to, letter: receipt, dedupeKey: `receipt:${order.id}`, at },
      { when: `EXISTS (${STANDS} AND status = 'paid')`, values },
    ),
    // An order that ran out is paid back only where its money came.
    ...CAUSES.map((refundReason) =>
      postedWhere(d1, refund(messageFor({ ...order, refundRefusedAt: null, status: 'expired', refundReason })), {
        when: `EXISTS (${STANDS} AND refund_reason = '${refundReason}'
          AND (status = 'refunded' OR (status = 'expired' AND refund_wanted_at IS NOT NULL)))`,
        values,
      }),
    ),
    // A bank that takes its customer's money back tells them itself.
    postedWhere(
      d1,
      refund(messageFor({ ...order, refundRefusedAt: null, status: 'refunded', refundReason: 'requested' })),
      {
        when: `EXISTS (${STANDS} AND status = 'refunded' AND refunded_cents > 0 AND coalesce(refund_reason, '') NOT IN ('disputed', ${CAUSES.map((cause) => `'${cause}'`).join(', ')}))`,
        values,
      },
    ),
  ]
}
