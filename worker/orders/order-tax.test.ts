import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { hashTaxRequest, type TaxRequest } from '../payments/provider'
import { QUOTAS } from '../quotas/quotas'
import { db } from '../testing/fixtures'
import { addProduct, setUpPayments } from '../testing/payments'
import { NOON } from '../testing/seed'
import { prepareCheckout } from './checkout'
import { limitTaxCalculations } from './order-tax'

beforeAll(setUpPayments)
beforeEach(() => env.DB.prepare('DELETE FROM attempts').run())

const taxRequest = (shippingCents: number): TaxRequest => ({
  currency: 'USD',
  included: false,
  lines: [{ reference: 'v1', amountCents: 2000 }],
  shippingCents,
  address: { line1: '', city: '', state: 'FL', postalCode: '33602', country: 'US' },
  addressSource: 'billing',
})
const calculation = {
  calculationId: 'c',
  lineTaxCents: [140],
  shippingTaxCents: 0,
  name: 'Sales tax',
  ratePer100k: 7000,
}
const limitedCalculator = (buyer = 'user 1', network = '203.0.113.0/24') =>
  limitTaxCalculations(async () => calculation, { db, secret: env.SIGNING_SECRET }, { buyer, network, at: NOON })

const maxCalculations = QUOTAS.taxCalculationsPerBuyer.max

test('does not count repetitions of the order’s last calculation', async () => {
  const lastRequest = taxRequest(0)
  for (let n = 0; n <= maxCalculations; n++) await limitedCalculator()(await hashTaxRequest(lastRequest))(lastRequest)
  for (let n = 1; n <= maxCalculations; n++) await limitedCalculator()(null)(taxRequest(n))
  await expect(limitedCalculator()(null)(taxRequest(999))).rejects.toMatchObject({ code: 'rate_limited' })
})

test('one calculator counts equal calculations once', async () => {
  const calculateTax = limitedCalculator()(null)
  for (let n = 0; n <= maxCalculations; n++) await calculateTax(taxRequest(0))
  for (let n = 1; n < maxCalculations; n++) await calculateTax(taxRequest(n))
  await expect(calculateTax(taxRequest(999))).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 900 })
})

test('a rate-limited buyer does not use up the network’s quota', async () => {
  for (let n = 0; n < maxCalculations; n++) await limitedCalculator()(null)(taxRequest(n))
  await expect(limitedCalculator()(null)(taxRequest(999))).rejects.toThrow('Please wait a quarter of an hour.')
  expect(await limitedCalculator('device 2')(null)(taxRequest(0))).toEqual(calculation)
})

test('stores the hash of a tax calculation’s input', async () => {
  const productId = await addProduct(9)
  await env.DB.prepare("UPDATE products SET kind = 'digital' WHERE id = ?").bind(productId).run()
  const passedHashes: (string | null)[] = []
  const payments = {
    provider: 'test',
    isLive: false,
    createIntent: async ({ orderId }: { orderId: string }) => ({ id: `pi_${orderId}`, clientSecret: 's' }),
    readIntent: async (id: string) => ({ id, clientSecret: 's' }),
  } as never
  const calculateTax = (lastInputHash: string | null) => {
    passedHashes.push(lastInputHash)
    return async () => calculation
  }
  const buyer = { caller: null, checkoutKey: 'k'.repeat(22), deviceHash: 'd', network: 'n', networkHash: 'n' }
  const body = { productId, taxLocation: { country: 'US', state: 'FL', postalCode: '33602' } }
  const deps = { db, payments, secret: env.SIGNING_SECRET, origin: '', calculateTax, at: NOON }
  const { orderId } = await prepareCheckout(deps, body, buyer)
  const hash = await env.DB.prepare('SELECT tax_input_hash AS hash FROM orders WHERE id = ?')
    .bind(orderId)
    .first('hash')
  expect(hash).toMatch(/^[\w-]{43}$/)
  // The checkout calculates the tax once before the order exists and once with it.
  expect(passedHashes).toEqual([null, hash])
})
