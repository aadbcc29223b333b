import * as z from 'zod/mini'
import { ALL_OTHER_COUNTRIES, COUNTRY_CODES } from './countries'
import { get, managers, patch, post, visitor } from './endpoint'
import { cents, draftVersion, ListOrder, line, optionalLine, wholeNumber } from './fields'
import { recordEndpoints } from './record-endpoints'

/** `shipping`: to the zone's countries. `pickup`: at an upcoming show. */
export const ZONE_KINDS = ['shipping', 'pickup'] as const
export type ZoneKind = (typeof ZONE_KINDS)[number]

/** `items`: a base price and one for each further item. `weight`: a price for each weight band. */
const METHOD_PRICINGS = ['items', 'weight'] as const

export const ShippingMethodDraft = z
  .strictObject({
    /** Id of an existing method; missing for a new one. */
    id: z.optional(line(40, 'The method')),
    name: line(60, 'The name of the method'),
    pricing: z.enum(METHOD_PRICINGS),
    baseCents: cents('The price'),
    perItemCents: cents('The price of each further item'),
    bands: z
      .array(
        z.strictObject({
          upToGrams: wholeNumber('The weight', 1_000_000).check(z.minimum(1, 'The weight must be at least 1 gram.')),
          priceCents: cents('The price'),
        }),
      )
      .check(
        z.maxLength(20, 'There are at most 20 weight bands.'),
        z.refine(
          (bands) => bands.every(({ upToGrams }, i) => upToGrams > (bands[i - 1]?.upToGrams ?? 0)),
          'Each weight band must end above the one before it.',
        ),
      ),
    /** Free from this amount of goods after discounts; null if never. */
    freeFromCents: z.nullable(cents('The amount')),
  })
  .check(
    z.refine(({ pricing, bands }) => pricing !== 'weight' || bands.length > 0, {
      error: 'Shipping by weight needs at least one weight band.',
      path: ['bands'],
    }),
  )
export type ShippingMethodDraft = z.infer<typeof ShippingMethodDraft>
export type ZoneShippingMethod = Omit<z.infer<typeof ShippingMethodDraft>, 'id'> & { id: string }

const zoneCountry = z
  .string()
  .check(
    z.refine(
      (code) => code === ALL_OTHER_COUNTRIES || COUNTRY_CODES.includes(code),
      'A country of the zone does not exist. Please choose it from the list.',
    ),
  )

const ZoneFields = z.strictObject({
  name: line(60, 'The name'),
  kind: z.enum(ZONE_KINDS),
  countries: z.array(zoneCountry).check(
    z.maxLength(300, 'There are too many countries.'),
    z.refine((codes) => new Set(codes).size === codes.length, 'A country is in the zone twice.'),
  ),
  methods: z
    .array(ShippingMethodDraft)
    .check(z.minLength(1, 'A zone needs at least one method.'), z.maxLength(10, 'A zone has at most 10 methods.')),
  position: wholeNumber('The place', 10_000),
})
export const ZoneDraft = z.extend(ZoneFields, { version: draftVersion }).check(
  z.refine(({ kind, countries }) => kind === 'pickup' || countries.length > 0, {
    error: 'Please choose at least one country.',
    path: ['countries'],
  }),
  z.refine(({ kind, countries, methods }) => kind === 'shipping' || (countries.length === 0 && methods.length === 1), {
    error: 'Pick-up has one price and no countries.',
    path: ['countries'],
  }),
)
export type ZoneDraft = z.infer<typeof ZoneDraft>
export const AdminShippingZone = z.object({
  id: z.string(),
  ...ZoneFields.shape,
  version: z.int(),
})
export type AdminShippingZone = z.infer<typeof AdminShippingZone>

const TaxRateFields = z.strictObject({
  /** 'VAT'. */
  name: line(40, 'The name'),
  country: z.string().check(z.refine((code) => COUNTRY_CODES.includes(code), 'Please choose a country.')),
  /** State or province as in an address (`FL`), whose rate replaces the country's; empty for the whole country. */
  region: optionalLine(60, 'The region').check(z.overwrite((text) => text.toUpperCase())),
  /** 19 % is 19000. */
  ratePer100k: z
    .int('The rate must be a percentage like 19 or 7.5.')
    .check(z.minimum(0, 'The rate must not be negative.'), z.maximum(100_000, 'The rate must be at most 100%.')),
  /** The prices include the tax; otherwise it is added. */
  included: z.boolean(),
})
export const TaxRateDraft = z.extend(TaxRateFields, { version: draftVersion })
export type TaxRateDraft = z.infer<typeof TaxRateDraft>
export const TaxRateRow = z.object({
  id: z.string(),
  ...TaxRateFields.shape,
  version: z.int(),
})
export type TaxRateRow = z.infer<typeof TaxRateRow>

/** ISO 4217 codes with two decimals: all prices are cents. */
export const CURRENCIES = 'USD EUR GBP CAD AUD NZD CHF SEK NOK DKK PLN CZK RON BRL MXN ZAR INR SGD HKD ILS'.split(' ')

export const ShopSettings = z.object({
  currency: z.string(),
  /** ISO 3166-1 code of the country whose included tax is shown until the buyer's address is known; empty for none. */
  homeCountry: z.string(),
  /** The currency cannot change once there is an order, because sums over several currencies would be wrong. */
  isCurrencyFixed: z.boolean(),
  /** A variant with at most this many units left is running low. */
  lowStockThreshold: z.int(),
  /** Tax is computed by Stripe instead of the rates. */
  stripeTax: z.boolean(),
})
export type ShopSettings = z.infer<typeof ShopSettings>

/** Optional settings that are omitted stay unchanged. */
export const ShopSettingsChange = z.strictObject({
  currency: z.string().check(z.refine((code) => CURRENCIES.includes(code), 'Please choose a currency from the list.')),
  lowStockThreshold: z.optional(wholeNumber('The number of units', 10_000)),
  homeCountry: z.optional(
    z
      .string()
      .check(z.refine((code) => code === '' || COUNTRY_CODES.includes(code), 'Please choose a country from the list.')),
  ),
})
export type ShopSettingsChange = z.infer<typeof ShopSettingsChange>

/** Where the shop ships, and whether it offers pick-up at shows; for product pages and the address form. */
export const ShippingDestinations = z.object({
  zones: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(ZONE_KINDS),
      countries: z.array(z.string()),
      /** The lowest price of one item, of the methods priced by items; null if all are priced by weight. */
      fromCents: z.nullable(z.int()),
      /** The lowest amount of goods from which a method is free; null if none ever is. */
      freeFromCents: z.nullable(z.int()),
    }),
  ),
})
export type ShippingDestinations = z.infer<typeof ShippingDestinations>

export const shopApi = {
  destinations: get('/api/shop/destinations', ShippingDestinations, {
    ...visitor,
    description: 'The shipping zones, and pick-up at shows.',
  }),
}

export const adminZonesApi = recordEndpoints('/api/admin/shipping-zones', {
  access: managers,
  row: AdminShippingZone,
  draft: ZoneDraft,
  filters: ['kind'],
  add: { description: '409 `conflict` if another zone has one of the countries.' },
})

export const adminTaxRatesApi = recordEndpoints('/api/admin/tax-rates', {
  access: managers,
  row: TaxRateRow,
  draft: TaxRateDraft,
  filters: [],
  add: { description: '409 `conflict` if the country and region have a rate.' },
})

export const adminShopApi = {
  reorderZones: post('/api/admin/shipping-zone-order', ListOrder, null, managers),
  settings: get('/api/admin/shop-settings', ShopSettings, managers),
  updateSettings: patch('/api/admin/shop-settings', ShopSettingsChange, ShopSettings, {
    ...managers,
    description: '409 `conflict` for another currency once there is an order.',
  }),
}
