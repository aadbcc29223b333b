import { env } from 'cloudflare:test'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { discounts } from '../discounts/discounts.table'
import { taxRates } from '../shop-settings/shop-settings.table'
import { errorOf } from '../testing/client'
import { db } from '../testing/fixtures'
import {
  ADDRESS,
  addProduct,
  addStripeOrder,
  newBuyer,
  sendEvent,
  setUpPayments,
  stubFailingProvider,
} from '../testing/payments'

// Orders without shipped goods have no address: the buyer's country, and where needed the state, decides their tax.

beforeAll(async () => {
  await setUpPayments()
  await db.insert(taxRates).values([
    { id: 'de', name: 'VAT', country: 'DE', region: '', ratePer100k: 19_000, included: true },
    { id: 'fl', name: 'Sales tax', country: 'US', region: 'FL', ratePer100k: 7_000, included: false },
  ])
})

afterEach(() => void vi.restoreAllMocks())

/** A product that is neither shipped nor picked up. */
async function addDigitalProduct(): Promise<string> {
  const product = await addProduct(9)
  await env.DB.prepare("UPDATE products SET kind = 'digital' WHERE id = ?").bind(product).run()
  return product
}

const FLORIDA = { country: 'US', state: 'florida', postalCode: '' }
const GERMANY = { country: 'DE', state: '', postalCode: '' }
const STATE_MISSING = [
  400,
  'bad_input',
  'Please enter your state or province in the United States: it decides the tax.',
]

test('taxes digital goods at the buyer’s location', async () => {
  const product = await addDigitalProduct()
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
  // A change without a location keeps the previous one.
  expect(await buyer.buy(product, { quantity: 2 })).toMatchObject({ amountCents: 4000, breakdown: { taxCents: 639 } })
  const paid = await buyer.buy(product, { quantity: 2, taxLocation: FLORIDA, email: 'fan@mail.example' })
  await buyer.pay(paid)
  expect(await buyer.order(paid)).toMatchObject({
    status: 'paid',
    amountCents: 4280,
    tax: { name: 'Sales tax', ratePer100k: 7000, isEstimate: false },
  })
})

test('rejects a payment before the country is known', async () => {
  const product = await addDigitalProduct()
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

const readMissing = ({ orderId }: { orderId: string }) =>
  env.DB.prepare('SELECT missing FROM orders WHERE id = ?').bind(orderId).first<string | null>('missing')

test('stores which input the total of an order still lacks', async () => {
  const [product, shipped] = [await addDigitalProduct(), await addProduct(9, 2000, true)]
  const buyer = newBuyer()
  expect(await readMissing(await buyer.buy(product))).toBe('tax_location')
  expect(await readMissing(await buyer.buy(product, { taxLocation: GERMANY }))).toBe(null)
  expect(await readMissing(await buyer.buy(shipped))).toBe('destination')
  expect(await readMissing(await buyer.buy(shipped, { shippingAddress: ADDRESS }))).toBe(null)
})

test('a code limited per buyer needs the buyer’s email', async () => {
  await db
    .insert(discounts)
    .values({ id: 'person', code: 'PERSON', kind: 'percent', percent: 10, maxUsesPerPerson: 1, createdAt: 0 })
  const product = await addProduct(9)
  const buyer = newBuyer()
  const coded = { discountCode: 'PERSON', taxLocation: GERMANY }
  expect(await readMissing(await buyer.buy(product, coded))).toBe('person')
  expect(await readMissing(await buyer.buy(product, { ...coded, email: 'fan@mail.example' }))).toBe(null)
})

test.each(['tax_location', 'destination', 'person'] as const)(
  'refunds a payment whose order lacks its %s',
  async (missing) => {
    stubFailingProvider()
    const { events, getOutcome } = await addStripeOrder({ missing })
    await sendEvent(events.succeeded())
    expect(await getOutcome()).toMatchObject({ status: 'expired', held: 0, reason: 'amount' })
  },
)

test('accepts a payment although settings changed after pricing', async () => {
  await db
    .insert(discounts)
    .values({ id: 'once', code: 'ONCE', kind: 'percent', percent: 10, maxUsesPerPerson: 1, createdAt: 0 })
  // Current rates, zones and code limits require more, but the order was complete when it was priced.
  for (const row of [{}, { promotionCode: 'ONCE', userId: null, email: null }]) {
    const { events, getOutcome } = await addStripeOrder(row)
    await sendEvent(events.succeeded())
    expect((await getOutcome()).status).toBe('paid')
  }
  const shipped = await addStripeOrder({ productId: await addProduct(1, 2000, true) })
  await sendEvent(shipped.events.succeeded())
  expect((await shipped.getOutcome()).status).toBe('paid')
})

test('taxes pick-ups at the show, not at the buyer’s location', async () => {
  const buyer = newBuyer()
  const atShow = await buyer.buy(await addProduct(9), { taxLocation: GERMANY })
  expect(atShow).toMatchObject({
    amountCents: 2140,
    taxLocationFields: null,
    tax: { name: 'Sales tax', isEstimate: false },
  })
  await env.DB.prepare('UPDATE concerts SET removed_at = 1').run()
  await env.DB.prepare("UPDATE site SET home_country = 'DE'").run()
  const atHome = await newBuyer().buy(await addProduct(9), { taxLocation: FLORIDA })
  expect(atHome).toMatchObject({ amountCents: 2000, tax: { name: 'VAT', isEstimate: false } })
})

test('rejects an unknown state in an address that needs it', async () => {
  const product = await addProduct(9, 2000, true)
  const shippingAddress = { ...ADDRESS, state: 'Somewhere' }
  expect(await errorOf(await newBuyer().requestIntent(product, { shippingAddress }))).toEqual(STATE_MISSING)
})
