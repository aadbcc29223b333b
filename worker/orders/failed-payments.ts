import { sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { type Millis, toIso } from '../lib/clock'
import { linesQuery, orderTitle } from './orders'

export type FailedPayment = { orderId: string; productName: string; amountCents: number; at: string }

const MAX_ROWS = 50

/** Orders whose card was declined since then and that nobody has paid, with their latest attempt, newest first. */
export async function failedPayments(db: Db, since: Millis): Promise<FailedPayment[]> {
  const rows = await db.all<{ orderId: string; amountCents: number; at: Millis }>(
    sql`SELECT o.id AS orderId, o.amount_cents AS amountCents, max(e.received_at) AS at
      FROM payment_events e JOIN orders o ON o.id = e.order_id
      WHERE e.received_at >= ${since} AND e.type = 'payment_intent.payment_failed' AND e.state = 'applied'
        AND o.paid_at IS NULL GROUP BY o.id ORDER BY at DESC LIMIT ${MAX_ROWS}`,
  )
  const lines = await linesQuery(
    db,
    rows.map(({ orderId }) => orderId),
  )
  return rows.map(({ at, ...row }) => ({
    ...row,
    productName: orderTitle(lines.map(({ line }) => line).filter(({ orderId }) => orderId === row.orderId)),
    at: toIso(at),
  }))
}
