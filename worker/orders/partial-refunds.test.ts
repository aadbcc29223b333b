import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { AdminOrder, RefundRequest } from '../contract/orders'
import { findWrongTotals } from '../db/totals'
import { errorOf, send } from '../testing/client'
import { isLongRun } from '../testing/fixtures'
import { ADDRESS, addProduct, DEMO_ENV, newBuyer, variantOf, variantStock } from '../testing/payments'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie: string
beforeAll(async () => {
  await seedSite(env.DB)
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE shipping_zones SET methods = '[{"id":"post","name":"Post","pricing":"items","baseCents":900,"perItemCents":100,"bands":[],"freeFromCents":null}]'`,
    ),
    env.DB.prepare(
      "INSERT INTO tax_rates (id, name, country, region, rate_per_100k, included) VALUES ('fl', 'Sales tax', 'US', 'FL', 7250, 0)",
    ),
  ])
  cookie = await cookieHeaderFor('administrator')
})

const refund = (id: string, body: RefundRequest) =>
  send('POST', `/api/admin/orders/${id}/refund`, body, { at: NOON, headers: { cookie }, env: DEMO_ENV })

/** Buys lines to be shipped to Florida: shipping costs $9.00 and $1.00 for each further item; 7.25% tax is added. */
async function buy(lineDrafts: { priceCents: number; quantity: number }[]) {
  const products = await Promise.all(lineDrafts.map(({ priceCents }) => addProduct(99, priceCents, true)))
  const buyer = newBuyer()
  const lines = lineDrafts.map(({ quantity }, index) => ({ variantId: variantOf(products[index] ?? ''), quantity }))
  const body = { lines, email: 'refund@mail.example', shippingAddress: ADDRESS }
  const response = await buyer.browser.send('POST', '/api/create-payment-intent', body, { at: NOON })
  if (!response.ok) throw new Error(await response.text())
  const intent = await response.json<{ orderId: string; clientSecret: string; amountCents: number }>()
  await buyer.pay(intent)
  return { ...intent, variants: lines.map(({ variantId }) => variantId) }
}

test('refunds one line with and without restock', async () => {
  const { orderId, variants, amountCents } = await buy([
    { priceCents: 5000, quantity: 2 },
    { priceCents: 1999, quantity: 1 },
  ])
  const [hoodie = ''] = variants
  expect(await variantStock(hoodie)).toBe(97)
  const line = { lineId: `${orderId}-1`, quantity: 1 }
  const first = await refund(orderId, { reason: 'Torn.', lines: [{ ...line, restock: false }] })
  expect(await first.json<AdminOrder>()).toMatchObject({
    status: 'paid',
    refundedCents: 5363,
    lines: [{ refundedQuantity: 1, refundedCents: 5363, restockedQuantity: 0 }, { refundedQuantity: 0 }],
  })
  expect(await variantStock(hoodie)).toBe(97)
  const second = await refund(orderId, { reason: 'Too big.', lines: [{ ...line, restock: true }] })
  expect(await second.json<AdminOrder>()).toMatchObject({
    refundedCents: 10_725,
    lines: [{ refundedQuantity: 2, refundedCents: 10_725, restockedQuantity: 1 }, {}],
  })
  expect(await variantStock(hoodie)).toBe(98)
  expect(await errorOf(await refund(orderId, { reason: 'Again.', lines: [{ ...line, restock: true }] }))).toEqual([
    400,
    'bad_input',
    expect.stringMatching(/^Only 0 of Product \d+ can still be refunded\.$/),
  ])
  // Without lines, the rest of the order is refunded, with its shipping.
  const whole = await (await refund(orderId, { reason: 'All of it.' })).json<AdminOrder>()
  expect(whole).toMatchObject({ status: 'refunded', refundedCents: amountCents })
  expect(await variantStock(hoodie)).toBe(99)
})

test('refunds shipping up to what was paid for it', async () => {
  const { orderId } = await buy([{ priceCents: 5000, quantity: 2 }])
  const tooMuch = await errorOf(await refund(orderId, { reason: 'Late.', shippingCents: 1074 }))
  expect(tooMuch).toEqual([400, 'bad_input', 'That is more than can still be refunded for shipping.'])
  // $10.00 of shipping and 7.25% tax.
  expect(await (await refund(orderId, { reason: 'Late.', shippingCents: 1073 })).json()).toMatchObject({
    refundedCents: 1073,
    refundedShippingCents: 1073,
  })
  expect((await errorOf(await refund(orderId, { reason: 'Late.', shippingCents: 1 })))[1]).toBe('bad_input')
})

test('refunds a unit once for concurrent requests', async () => {
  const { orderId } = await buy([{ priceCents: 5000, quantity: 1 }])
  const body = { reason: 'Torn.', lines: [{ lineId: `${orderId}-1`, quantity: 1, restock: true }] }
  const statuses = (await Promise.all([1, 2, 3].map(() => refund(orderId, body)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(await env.DB.prepare('SELECT refunded_cents FROM orders WHERE id = ?').bind(orderId).first()).toEqual({
    refunded_cents: 5363,
  })
})

const arbitraryLine = fc.record({
  priceCents: fc.integer({ min: 50, max: 20_000 }),
  quantity: fc.integer({ min: 1, max: 3 }),
})
const arbitraryRefund = fc.record({
  line: fc.nat(2),
  quantity: fc.integer({ min: 1, max: 3 }),
  restock: fc.boolean(),
  shippingCents: fc.nat(1200),
})

test('never refunds more than was paid, in any sequence', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryLine, { minLength: 1, maxLength: 3 }),
      fc.array(arbitraryRefund, { minLength: 1, maxLength: 6 }),
      async (lineDrafts, refunds) => {
        const { orderId, amountCents, variants } = await buy(lineDrafts)
        for (const { line, quantity, restock, shippingCents } of refunds)
          await (
            await refund(orderId, {
              reason: 'Any.',
              lines: [{ lineId: `${orderId}-${line + 1}`, quantity, restock }],
              shippingCents,
            })
          ).text()
        const order = await env.DB.prepare(
          `SELECT refunded_cents AS refunded,
             refunded_shipping_cents + (SELECT sum(refunded_cents) FROM order_lines WHERE order_id = orders.id) AS sumOfParts,
             (SELECT refunded_cents FROM test_intents WHERE order_id = orders.id) AS atProvider
           FROM orders WHERE id = ?`,
        )
          .bind(orderId)
          .first<{ refunded: number; sumOfParts: number; atProvider: number }>()
        expect(order?.refunded).toBeLessThanOrEqual(amountCents)
        expect([order?.sumOfParts, order?.atProvider]).toEqual([order?.refunded, order?.refunded])
        for (const variant of variants) {
          const { held } = (await env.DB.prepare('SELECT held FROM order_lines WHERE variant_id = ?')
            .bind(variant)
            .first<{ held: number }>()) ?? { held: -1 }
          expect((await variantStock(variant)) ?? 0).toBe(99 - held)
        }
        expect(await findWrongTotals(env.DB)).toEqual([])
      },
    ),
    { numRuns: isLongRun ? 100 : 6 },
  )
})
