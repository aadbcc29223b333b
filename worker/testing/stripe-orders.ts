import { env } from 'cloudflare:test'
import { vi } from 'vitest'
import { MINUTE_MS } from '../lib/clock'
import { missions } from '../missions/missions.table'
import { orders } from '../orders/orders.table'
import { addProduct, stockOf } from './checkout'
import { addUser, db } from './rows'
import { NOON, seedSite } from './seed'
import { paymentEvents } from './stripe-events'

/** A house with a mission for whoever buys something. */
export async function setUpPayments(): Promise<void> {
  await seedSite(env.DB)
  await db.insert(missions).values({
    ...{ id: 'shopper', title: 'First purchase', description: '', points: 75 },
    ...{ action: 'merch_purchase', target: 1, position: 1 },
  })
}
/** What is paid for nothing asks Stripe for a refund, which lets nobody in here: what was wanted is what is looked at. */
export function stubFailingProvider(): void {
  vi.spyOn(console, 'error').mockReturnValue()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ error: {} }, { status: 401 }))
}

/** An order of the last piece that was paid, and its buyer's points. */
export const PAID_OUTCOME = { status: 'paid', held: 1, reason: null, stock: 0, points: 75 }

/** When the order's time is over. */
export const RESERVED_UNTIL = NOON + 15 * MINUTE_MS
let orderCount = 0
/** An order whose payment is with Stripe, of one piece at $20 unless a test says otherwise, and that payment's events. */
export async function newOrder({
  stock = 1,
  of,
  ...row
}: { stock?: number; of?: string } & Partial<typeof orders.$inferInsert> = {}) {
  const [id, intentId] = [`ord_${++orderCount}`, `pi_${orderCount}`]
  const productId = of ?? (await addProduct(stock))
  const user = await addUser()
  await db.insert(orders).values({
    ...{ id, productId, quantity: 1, unitPriceCents: 2000, amountCents: 2000, status: 'pending', held: 1 },
    ...{
      createdAt: NOON,
      reservedUntil: RESERVED_UNTIL,
      provider: 'stripe',
      paymentIntentId: intentId,
      intentOpen: true,
    },
    ...{ holder: 'somebody', intentRevision: 1, userId: user.id, email: `buyer${orderCount}@mail.example`, ...row },
  })
  const getOutcome = async () => {
    const order = await env.DB.prepare('SELECT status, held, refund_reason AS reason FROM orders WHERE id = ?')
      .bind(id)
      .first<{ status: string; held: number; reason: string | null }>()
    const points = await env.DB.prepare('SELECT points FROM users WHERE id = ?')
      .bind(user.id)
      .first<{ points: number }>()
    return { ...order!, ...(await stockOf(productId)), points: points!.points }
  }
  /** What is known of its money: what went back, whether more is to, and whether that was refused. */
  const getRefundState = () =>
    env.DB.prepare(
      `SELECT refunded_cents AS refunded, refund_wanted_at IS NOT NULL AS wanted, refund_refused_at IS NOT NULL AS refused
       FROM orders WHERE id = ?`,
    )
      .bind(id)
      .first<{ refunded: number; wanted: number; refused: number }>()
  return {
    id,
    productId,
    getOutcome,
    getRefundState,
    email: `buyer${orderCount}@mail.example`,
    events: paymentEvents({ orderId: id, intentId, amountCents: 2000 }),
  }
}
