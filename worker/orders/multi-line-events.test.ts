import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { PaymentIntent } from '../contract/checkout'
import { SECOND_MS } from '../lib/clock'
import { isLongRun } from '../testing/fixtures'
import {
  addProduct,
  newBuyer,
  paymentEvents,
  RESERVED_UNTIL,
  sendEvent,
  setUpPayments,
  stubFailingProvider,
  variantOf,
} from '../testing/payments'
import { NOON } from '../testing/seed'
import { EXPIRE_DUE } from './expiry'

beforeAll(setUpPayments)
beforeEach(stubFailingProvider)
afterEach(() => void vi.restoreAllMocks())

let paymentCount = 0
/** Places an order of two units of each product, to be paid at Stripe. Returns null if the stock is reserved. */
async function placeOrder(products: readonly string[]) {
  const lines = products.map((product) => ({ variantId: variantOf(product), quantity: 2 }))
  const response = await newBuyer().browser.send('POST', '/api/create-payment-intent', { lines }, { at: NOON })
  if (!response.ok) return null
  const { orderId, amountCents } = await response.json<PaymentIntent>()
  const intentId = `pi_lines_${++paymentCount}`
  await env.DB.prepare(
    "UPDATE orders SET provider = 'stripe', is_test = 0, payment_intent_id = ?2, intent_revision = 1 WHERE id = ?1",
  )
    .bind(orderId, intentId)
    .run()
  return { orderId, amountCents, events: paymentEvents({ orderId, intentId, amountCents }) }
}

const EVENT_KINDS = [
  'succeeded',
  'failed',
  'canceled',
  'partly refunded',
  'refunded',
  'disputed',
  'withdrawn',
  'reinstated',
  'dispute closed',
  'expired',
] as const
const eventStep = fc.record({
  order: fc.nat({ max: 1 }),
  kind: fc.constantFrom(...EVENT_KINDS),
  /** Stripe's time of the event, in seconds after NOON. */
  after: fc.nat({ max: 1200 }),
  isRepeated: fc.boolean(),
})

/** Returns the invariants that the orders of these products violate, with the ids and the numbers that disagree. */
async function findViolations(products: readonly string[], stock: number): Promise<unknown[]> {
  const ids = JSON.stringify(products.map(variantOf))
  const { results } = await env.DB.prepare(
    `SELECT 'stock' AS rule, variant.id, variant.stock AS actual, coalesce(sum(line.held), 0) AS other
       FROM product_variants AS variant LEFT JOIN order_lines AS line ON line.variant_id = variant.id
       WHERE variant.id IN (SELECT value FROM json_each(?1)) GROUP BY variant.id
       HAVING variant.stock < 0 OR variant.stock + coalesce(sum(line.held), 0) <> ?2
     UNION ALL SELECT 'all lines or none', orders.id, orders.held, sum(line.held)
       FROM orders JOIN order_lines AS line ON line.order_id = orders.id
       WHERE orders.product_id = ?3 GROUP BY orders.id
       HAVING orders.held NOT IN (0, orders.units) OR sum(line.held) <> orders.held
     UNION ALL SELECT 'held by open orders: ' || status, id, held, units FROM orders
       WHERE product_id = ?3 AND (held > 0) <> (status IN ('pending', 'paid'))
     UNION ALL SELECT 'refunds', id, refunded_cents, amount_cents FROM orders
       WHERE product_id = ?3 AND refunded_cents > amount_cents`,
  )
    .bind(ids, stock, products[0])
    .all()
  return results
}

test('a late payment whose dispute was won breaks no invariant', async () => {
  const products = [await addProduct(2), await addProduct(2)]
  const order = await placeOrder(products)
  const late = { created: RESERVED_UNTIL / SECOND_MS + 1 }
  for (const event of [order?.events.withdrawn(), order?.events.succeeded(late), order?.events.reinstated(late)])
    expect((await sendEvent(event!)).status).toBe(200)
  expect(await findViolations(products, 2)).toEqual([])
})

test('keeps stock consistent in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(eventStep, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 2, max: 4 }),
      async (steps, stock) => {
        const products = [await addProduct(stock), await addProduct(stock)]
        const orders = [await placeOrder(products), await placeOrder(products)]
        for (const { order: index, kind, after, isRepeated } of steps) {
          const order = orders[index]
          if (kind === 'expired') await env.DB.prepare(EXPIRE_DUE).bind(RESERVED_UNTIL).run()
          else if (order) {
            const { events, amountCents } = order
            const changes = { created: NOON / SECOND_MS + after }
            const event = {
              succeeded: () => events.succeeded(changes),
              failed: () => events.failed(changes),
              canceled: () => events.canceled(changes),
              'partly refunded': () => events.refunded(amountCents / 4, changes),
              refunded: () => events.refunded(amountCents, changes),
              disputed: () => events.disputed('needs_response', changes),
              withdrawn: () => events.withdrawn(changes),
              reinstated: () => events.reinstated(changes),
              'dispute closed': () => events.disputeClosed('won', changes),
            }[kind]()
            for (let delivery = 0; delivery < (isRepeated ? 2 : 1); delivery++)
              expect((await sendEvent(event)).status).toBe(200)
          }
          expect([kind, await findViolations(products, stock)]).toEqual([kind, []])
        }
      },
    ),
    { numRuns: isLongRun ? 400 : 12 },
  )
}, 120_000)
