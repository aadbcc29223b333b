import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { EU_COUNTRIES } from '../contract/countries'
import type {
  AdminShippingZone,
  ShippingDestinations,
  ShopSettings,
  TaxRateDraft,
  TaxRateRow,
  ZoneDraft,
} from '../contract/shop-settings'
import { errorOf, getJson, send } from '../testing/client'
import { db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { regionCode } from './regions'
import { loadShop, offerShipping, taxRateAt } from './shop-settings'

const STANDARD_SHIPPING = {
  name: 'Standard',
  pricing: 'items' as const,
  baseCents: 500,
  perItemCents: 200,
  bands: [],
  freeFromCents: null,
}
const zone = (changes: Partial<ZoneDraft> = {}): ZoneDraft => ({
  name: 'A zone',
  kind: 'shipping',
  countries: ['US'],
  methods: [STANDARD_SHIPPING],
  position: 1,
  ...changes,
})
const rate = (changes: Partial<TaxRateDraft> = {}): TaxRateDraft => ({
  name: 'VAT',
  country: 'DE',
  region: '',
  ratePer100k: 19_000,
  included: true,
  ...changes,
})
const PICKUP = zone({
  name: 'Shows',
  kind: 'pickup',
  countries: [],
  methods: [{ ...STANDARD_SHIPPING, name: 'Pick up', baseCents: 0, perItemCents: 0 }],
})
const SHIPMENT = { pieces: 3, weightGrams: 1500, goodsCents: 26_700 }
const destinationIn = (country: string) => ({ country, state: '' })

let cookie = ''
const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const list = <T>(path: string) => getJson<T[]>(`/api/admin/${path}`, { at: NOON, headers: { cookie } })
async function add(path: string, draft: unknown): Promise<string> {
  const response = await request('POST', path, draft)
  expect(response.status).toBe(201)
  return (await response.json<{ id: string }>()).id
}
const quoteShipping = async (
  address: { country: string; state: string } | null,
  { methodId = null, ...shipment }: Partial<typeof SHIPMENT> & { methodId?: string | null } = {},
) => offerShipping(await loadShop(db, NOON), { shipment: { ...SHIPMENT, ...shipment }, address, methodId })

beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
beforeEach(async () => {
  await env.DB.batch(
    ['shipping_countries', 'shipping_zones', 'tax_rates'].map((name) => env.DB.prepare(`DELETE FROM ${name}`)),
  )
})

test('prices shipping by the number of items', async () => {
  await add('shipping-zones', zone())
  const { methods, method } = await quoteShipping(destinationIn('US'))
  expect(methods).toEqual([
    { id: expect.stringMatching(/^ship/), name: 'Standard', priceCents: 900, isPickup: false, place: null },
  ])
  expect(method).toEqual(methods[0])
  expect((await quoteShipping(destinationIn('US'), { pieces: 1 })).method?.priceCents).toBe(500)
})

test('prices shipping by weight, up to the heaviest band', async () => {
  const bands = [
    { upToGrams: 1000, priceCents: 700 },
    { upToGrams: 2000, priceCents: 1100 },
  ]
  await add('shipping-zones', zone({ methods: [{ ...STANDARD_SHIPPING, pricing: 'weight', bands }] }))
  const priceOf = async (weightGrams: number) =>
    (await quoteShipping(destinationIn('US'), { weightGrams })).method?.priceCents
  expect([await priceOf(0), await priceOf(1000), await priceOf(1001), await priceOf(2000)]).toEqual([
    700, 700, 1100, 1100,
  ])
  await expect(quoteShipping(destinationIn('US'), { weightGrams: 2001 })).rejects.toThrow(
    'This order is too heavy to ship to the United States. Please order fewer items.',
  )
})

test('ships free from an amount', async () => {
  await add('shipping-zones', zone({ methods: [{ ...STANDARD_SHIPPING, freeFromCents: 10_000 }] }))
  expect((await quoteShipping(destinationIn('US'), { goodsCents: 9_999 })).method?.priceCents).toBe(900)
  expect((await quoteShipping(destinationIn('US'), { goodsCents: 10_000 })).method?.priceCents).toBe(0)
})

test('rejects a country that is not served', async () => {
  await add('shipping-zones', zone({ countries: EU_COUNTRIES }))
  await expect(quoteShipping(destinationIn('BR'))).rejects.toMatchObject({
    code: 'unserved_country',
    message: 'We do not ship to Brazil yet. Please use another address.',
  })
  await add('shipping-zones', PICKUP)
  await expect(quoteShipping(destinationIn('GB'))).rejects.toThrow(
    'We do not ship to the United Kingdom yet. Please use another address, or pick your order up at a show.',
  )
})

test('offers pick-up at upcoming shows, without an address too', async () => {
  await add('shipping-zones', PICKUP)
  const { methods, method } = await quoteShipping(null)
  expect(methods).toMatchObject([{ name: 'Pick up: Any Hall, Tampa, Jul 2, 2026', priceCents: 0, isPickup: true }])
  expect(method).toBeNull()
  const chosen = await quoteShipping(destinationIn('BR'), { methodId: methods[0]!.id })
  expect(chosen.method).toMatchObject({ isPickup: true, place: { country: 'US', region: 'FL' } })
})

test('lets one zone have all other countries', async () => {
  await add('shipping-zones', zone())
  await add(
    'shipping-zones',
    zone({ name: 'World', countries: ['*'], methods: [{ ...STANDARD_SHIPPING, baseCents: 3000 }] }),
  )
  expect((await quoteShipping(destinationIn('US'))).method?.priceCents).toBe(900)
  expect((await quoteShipping(destinationIn('JP'))).method?.priceCents).toBe(3400)
})

test('keeps the chosen method, else uses the first', async () => {
  await add(
    'shipping-zones',
    zone({ methods: [STANDARD_SHIPPING, { ...STANDARD_SHIPPING, name: 'Express', baseCents: 2000 }] }),
  )
  const { methods } = await quoteShipping(destinationIn('US'))
  expect((await quoteShipping(destinationIn('US'), { methodId: methods[1]!.id })).method?.name).toBe('Express')
  expect((await quoteShipping(destinationIn('US'), { methodId: 'gone' })).method?.name).toBe('Standard')
})

test('rejects a country that another zone has', async () => {
  const id = await add('shipping-zones', zone({ name: 'EU', countries: EU_COUNTRIES }))
  expect(await errorOf(await request('POST', 'shipping-zones', zone({ countries: ['US', 'DE'] })))).toEqual([
    409,
    'conflict',
    'Germany is in the zone EU already. Please remove it there first.',
  ])
  await expect(
    env.DB.prepare(
      `INSERT INTO shipping_zones (id, name, kind, countries, methods, position) VALUES ('z', 'z', 'shipping', '["DE"]', '[]', 1)`,
    ).run(),
  ).rejects.toThrow(/UNIQUE constraint failed: shipping_countries/)
  await request('DELETE', `shipping-zones/${id}`)
  await add('shipping-zones', zone({ countries: ['US', 'DE'] }))
})

test('keeps the ids of methods and rejects an outdated version', async () => {
  const id = await add('shipping-zones', zone())
  const [before] = await list<AdminShippingZone>('shipping-zones')
  const { id: _, ...draft } = before!
  expect((await request('PATCH', `shipping-zones/${id}`, { ...draft, name: 'Home' })).status).toBe(204)
  const [after] = await list<AdminShippingZone>('shipping-zones')
  expect(after).toEqual({ ...before, name: 'Home', version: 2 })
  expect((await errorOf(await request('PATCH', `shipping-zones/${id}`, draft)))[1]).toBe('conflict')
})

test.each([
  [zone({ countries: [] }), 'Please choose at least one country.'],
  [zone({ methods: [] }), 'A zone needs at least one method.'],
  [zone({ countries: ['XX'] }), 'A country of the zone does not exist. Please choose it from the list.'],
  [zone({ methods: [{ ...STANDARD_SHIPPING, baseCents: -1 }] }), 'The price must not be negative.'],
  [
    zone({ methods: [{ ...STANDARD_SHIPPING, pricing: 'weight' }] }),
    'Shipping by weight needs at least one weight band.',
  ],
  [{ ...PICKUP, countries: ['US'] }, 'Pick-up has one price and no countries.'],
])('rejects an invalid zone: %#', async (draft, message) => {
  expect(await errorOf(await request('POST', 'shipping-zones', draft))).toEqual([400, 'bad_input', message])
})

test('uses a region’s tax rate, else its country’s', async () => {
  await add('tax-rates', rate())
  await add(
    'tax-rates',
    rate({ name: 'Sales tax', country: 'US', region: 'Florida', ratePer100k: 7000, included: false }),
  )
  const shop = await loadShop(db, NOON)
  const rateIn = (country: string, region = '') => taxRateAt(shop, { country, region })
  expect(rateIn('DE', 'Bayern')).toEqual({ name: 'VAT', ratePer100k: 19_000, included: true })
  for (const region of ['FL', 'fl', 'Fl.', ' florida ']) expect(rateIn('US', region).ratePer100k).toBe(7000)
  expect([rateIn('US', 'GA'), rateIn('US'), rateIn('FR'), taxRateAt(shop, null)].map((tax) => tax.ratePer100k)).toEqual(
    [0, 0, 0, 0],
  )
  expect(regionCode('CA', 'Québec')).toBe('QC')
})

test('rejects a second tax rate for a place', async () => {
  const id = await add('tax-rates', rate())
  expect(await errorOf(await request('POST', 'tax-rates', rate({ ratePer100k: 7000 })))).toEqual([
    409,
    'conflict',
    'There is a rate for Germany already. Please change that one.',
  ])
  await request('DELETE', `tax-rates/${id}`)
  await add('tax-rates', rate({ ratePer100k: 7000 }))
  expect(await list<TaxRateRow>('tax-rates')).toMatchObject([{ country: 'DE', ratePer100k: 7000 }])
})

test('lists where the shop ships and from which price', async () => {
  await add(
    'shipping-zones',
    zone({ methods: [STANDARD_SHIPPING, { ...STANDARD_SHIPPING, baseCents: 400, freeFromCents: 9000 }] }),
  )
  expect(await getJson<ShippingDestinations>('/api/shop/destinations')).toEqual({
    zones: [{ name: 'A zone', kind: 'shipping', countries: ['US'], fromCents: 400, freeFromCents: 9000 }],
  })
})

test('rejects another currency after the first order', async () => {
  const change = (currency: string) => request('PATCH', 'shop-settings', { currency })
  expect(await (await change('EUR')).json<ShopSettings>()).toEqual({
    currency: 'EUR',
    homeCountry: '',
    isCurrencyFixed: false,
    lowStockThreshold: 3,
    stripeTax: false,
  })
  expect((await getJson<{ currency: string }>('/api/config')).currency).toBe('EUR')
  expect((await errorOf(await change('EURO')))[2]).toBe('Please choose a currency from the list.')
  await env.DB.prepare(
    "INSERT INTO orders (id, product_id, quantity, unit_price_cents, amount_cents, status, created_at) VALUES ('o', 'clip', 1, 1999, 1999, 'paid', 0)",
  ).run()
  expect(await errorOf(await change('USD'))).toEqual([
    409,
    'conflict',
    'The currency can no longer change, because there are orders in the current one.',
  ])
})

test('changes the home country at any time', async () => {
  const change = (homeCountry: string) => request('PATCH', 'shop-settings', { currency: 'EUR', homeCountry })
  expect(await (await change('DE')).json<ShopSettings>()).toMatchObject({ homeCountry: 'DE' })
  expect((await errorOf(await change('XX')))[2]).toBe('Please choose a country from the list.')
  expect((await loadShop(db, NOON)).homeCountry).toBe('DE')
})

test('audits the changed settings', async () => {
  await request('PATCH', 'shop-settings', { currency: 'EUR', lowStockThreshold: 7 })
  const detail = await env.DB.prepare(
    "SELECT detail FROM audit_log WHERE action = 'shop_settings.changed' ORDER BY id DESC LIMIT 1",
  ).first<string>('detail')
  expect(JSON.parse(detail ?? '')).toEqual({ currency: 'EUR', homeCountry: null, lowStockThreshold: 7 })
})

test('reports a site that is not set up', async () => {
  await env.DB.prepare('DELETE FROM site').run()
  expect(await errorOf(await request('PATCH', 'shop-settings', { currency: 'EUR' }))).toEqual([
    503,
    'unavailable',
    'This site is not set up yet. Please try again later.',
  ])
})
