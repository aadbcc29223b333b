import { env } from 'cloudflare:test'
import { MINUTE } from '../lib/clock'
import { orders } from '../orders/orders.table'
import { addProduct, stockOf } from './buyers'
import { NOON } from './furnish'
import { paymentEvents } from './provider-events'
import { addUser, db } from './rows'

/** When the order's time is over. */
export const UNTIL = NOON + 15 * MINUTE
let made = 0
/** An order whose payment is with Stripe, of one piece at $20 unless a test says otherwise, and that payment's events. */
export async function newOrder({
  stock = 1,
  of,
  ...row
}: { stock?: number; of?: string } & Partial<typeof orders.$inferInsert> = {}) {
  const [id, intentId] = [`ord_${++made}`, `pi_${made}`]
  const productId = of ?? (await addProduct(stock))
  const user = await addUser()
  await db.insert(orders).values({
    ...{ id, productId, quantity: 1, unitPriceCents: 2000, amountCents: 2000, status: 'pending', held: 1 },
    ...{ createdAt: NOON, reservedUntil: UNTIL, provider: 'stripe', paymentIntentId: intentId, intentOpen: true },
    ...{ holder: 'somebody', intentRevision: 1, userId: user.id, email: `buyer${made}@mail.example`, ...row },
  })
  const outcome = async () => {
    const order = await env.DB.prepare('SELECT status, held, refund_reason AS reason FROM orders WHERE id = ?')
      .bind(id)
      .first<{ status: string; held: number; reason: string | null }>()
    const points = await env.DB.prepare('SELECT points FROM users WHERE id = ?')
      .bind(user.id)
      .first<{ points: number }>()
    return { ...order!, ...(await stockOf(productId)), points: points!.points }
  }
  return {
    id,
    productId,
    outcome,
    email: `buyer${made}@mail.example`,
    events: paymentEvents({ orderId: id, intentId, amountCents: 2000 }),
  }
}
