import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import type { Millis } from '../lib/clock'
import { posted } from '../mail/outbox'
import { receiptLetter, refundLetter } from '../shop/letters'
import { products } from '../shop/shop.table'
import { artistRows } from '../site/site'
import { messageFor } from './orders'
import { orders } from './orders.table'
import { receiptPath } from './receipt-link'

type Told = { orderId: string; signingSecret: string; origin: string | null; at: Millis }

/**
 * Writes the mails that an order's state calls for, each once whatever is repeated: by the order, not by the event, so
 * that an event which is sent again mends a mail that was lost between the two batches.
 */
export async function tellBuyer(db: Db, { orderId, signingSecret, origin, at }: Told): Promise<void> {
  const [[found], [artist]] = await db.batch([
    db
      .select({ order: orders, productName: products.name })
      .from(orders)
      .innerJoin(products, eq(products.id, orders.productId))
      .where(eq(orders.id, orderId)),
    artistRows(db),
  ])
  if (!found?.order.email || !artist) return
  const { order, productName } = found
  const to = found.order.email
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
  // An order that ran out is paid back only where its money came.
  const goesBack = order.status === 'refunded' || (order.status === 'expired' && order.refundWantedAt !== null)
  if (order.status === 'paid') {
    const letter = receiptLetter({ ...facts, paidAt: order.paidAt ?? at, timeZone: artist.timeZone })
    await posted(db.$client, { to, letter, dedupeKey: `receipt:${order.id}`, at }).run()
  }
  // A bank that takes its customer's money back tells them itself.
  else if (goesBack && order.refundReason !== 'disputed') {
    const letter = refundLetter({ ...facts, why: messageFor(order) ?? 'Your order has been refunded.' })
    await posted(db.$client, { to, letter, dedupeKey: `refund:${order.id}`, at }).run()
  }
}
