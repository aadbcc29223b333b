import { env } from 'cloudflare:test'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { discounts } from '../discounts/discounts.table'
import { taxRates } from '../shop-settings/shop-settings.table'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import {
  ADDRESS,
  addProduct,
  newBuyer,
  newOrder,
  sendEvent,
  setUpPayments,
  stubFailingProvider,
} from '../testing/payments'

// Orders without shipped goods have no address: the buyer's country, and where it matters the state, decides their tax.

beforeAll(async () => {
  await setUpPayments()
  await db.insert(taxRates).values([
    { id: 'de', name: 'VAT', country: 'DE', region: '', ratePer100k: 19_000, included: true },
    { id: 'fl', name: 'Sales tax', country: 'US', region: 'FL', ratePer100k: 7_000, included: false },
  ])
})

afterEach(() => void vi.restoreAllMocks())

const FLORIDA = { country: 'US', state: 'florida', postalCode: '' }
const GERMANY = { country: 'DE', state: '', postalCode: '' }
const STATE_MISSING = [
  400,
  'bad_input',
  'Please enter your state or province in the United States: it decides the tax.',
]

test('taxes goods without delivery where the buyer is', async () => {
  const product = await addProduct(9)
  const buyer = newBuyer()
  const first = await buyer.buy(product)
  expect(first).toMatchObject({
    amountCents: 2000,
    tax: null,
    taxLocationFields: { stateCountries: ['US'], postalCodeCountries: [] },
  })
  expect(await errorOf(await buyer.requestIntent(product, { taxLocation: { ...FLORIDA, state: '' } }))).toEqual(
    STATE_MISSING,
  )
  expect(await errorOf(await buyer.requestIntent(product, { taxLocation: { ...FLORIDA, state: 'Flo' } }))).toEqual(
    STATE_MISSING,
  )
  const florida = await buyer.buy(product, { taxLocation: FLORIDA })
  expect(florida).toMatchObject({ amountCents: 2140, breakdown: { taxCents: 140, taxIncluded: false } })
  const german = await buyer.buy(product, { taxLocation: GERMANY })
  expect(german).toMatchObject({ amountCents: 2000, breakdown: { taxCents: 319, taxIncluded: true } })
  // A later change without a location leaves it.
  expect(await buyer.buy(product, { quantity: 2 })).toMatchObject({ amountCents: 4000, breakdown: { taxCents: 639 } })
  const paid = await buyer.buy(product, { quantity: 2, taxLocation: FLORIDA, email: 'fan@mail.example' })
  await buyer.pay(paid)
  expect(await buyer.order(paid)).toMatchObject({
    status: 'paid',
    amountCents: 4280,
    tax: { name: 'Sales tax', ratePer100k: 7000, isEstimate: false },
  })
})

test('charges nothing before the country is known', async () => {
  const product = await addProduct(9)
  const buyer = newBuyer()
  const intent = await buyer.buy(product, { email: 'fan@mail.example' })
  expect(await errorOf(await buyer.confirmCard(intent))).toEqual([
    409,
    'address_required',
    'Please choose your country before you pay: it decides the tax.',
  ])
})

test('the address decides the tax of an order that ships', async () => {
  const product = await addProduct(9, 2000, true)
  const intent = await newBuyer().buy(product, { taxLocation: FLORIDA, shippingAddress: { ...ADDRESS, country: 'DE' } })
  expect(intent).toMatchObject({ taxLocationFields: null, tax: { name: 'VAT' } })
  const row = await env.DB.prepare('SELECT tax_location FROM orders WHERE id = ?').bind(intent.orderId).first()
  expect(row).toEqual({ tax_location: null })
})

test('refunds a payment at the provider without a country', async () => {
  stubFailingProvider()
  const { events, getOutcome } = await newOrder()
  await sendEvent(events.succeeded())
  expect(await getOutcome()).toMatchObject({ status: 'expired', held: 0, reason: 'amount' })
  const taxed = await newOrder({ taxLocation: GERMANY })
  await sendEvent(taxed.events.succeeded())
  expect((await taxed.getOutcome()).status).toBe('paid')
})

test('refunds an anonymous payment with a code limited per person', async () => {
  stubFailingProvider()
  await db
    .insert(discounts)
    .values({ id: 'once', code: 'ONCE', kind: 'percent', percent: 10, maxUsesPerPerson: 1, createdAt: 0 })
  const paid = { promotionCode: 'ONCE', taxLocation: GERMANY }
  const anonymous = await newOrder({ ...paid, userId: null, email: null })
  await sendEvent(anonymous.events.succeeded())
  expect(await anonymous.getOutcome()).toMatchObject({ status: 'expired', reason: 'amount' })
  const known = await newOrder(paid)
  await sendEvent(known.events.succeeded())
  expect((await known.getOutcome()).status).toBe('paid')
})
