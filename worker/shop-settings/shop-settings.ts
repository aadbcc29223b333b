import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { recordAuditIfChanged } from '../audit/audit'
import type { TaxLocation, TaxLocationFields } from '../contract/checkout'
import { NO_TAX, type TaxRate } from '../contract/pricing'
import type { ShippingDestinations, ShopSettings, ShopSettingsChange } from '../contract/shop-settings'
import { type Db, prepare } from '../db/client'
import type { Actor } from '../deps'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { notSetUpError } from '../site/site'
import { site } from '../site/site.table'
import { isKnownRegion, regionCode } from './regions'
import {
  countryName,
  type OfferedMethod,
  offeredMethods,
  type PickupShow,
  type ShipmentSize,
  type ShippingZone,
  type TaxPlace,
} from './shipping'
import { shippingZones, taxRates } from './shop-settings.table'

/** Maximum number of shows at which orders can be picked up. */
const MAX_PICKUP_SHOWS = 5

type NamedTaxRate = TaxRate & { name: string }

/** The shop's settings that prices depend on. */
export type Shop = {
  currency: string
  /** IANA zone of the artist. */
  timeZone: string
  zones: readonly ShippingZone[]
  shows: readonly PickupShow[]
  taxRates: readonly (NamedTaxRate & TaxPlace)[]
  /** Country whose included tax is shown until the buyer's address is known; empty for none. */
  homeCountry: string
}

/** Reads the settings in one round trip. */
export async function loadShop(db: Db, at: Millis): Promise<Shop> {
  const [settings, zones, rates, shows] = await db.batch([
    db.select({ currency: site.currency, timeZone: site.timeZone, homeCountry: site.homeCountry }).from(site),
    db
      .select({ kind: shippingZones.kind, countries: shippingZones.countries, methods: shippingZones.methods })
      .from(shippingZones)
      .where(isNull(shippingZones.removedAt))
      .orderBy(asc(shippingZones.position), asc(shippingZones.id)),
    db
      .select({
        name: taxRates.name,
        country: taxRates.country,
        region: taxRates.region,
        ratePer100k: taxRates.ratePer100k,
        included: taxRates.included,
      })
      .from(taxRates)
      .where(isNull(taxRates.removedAt)),
    // Raw SQL, because this feature must not import the higher feature `concerts`.
    db
      .select({
        id: sql<string>`id`,
        venue: sql<string>`venue`,
        city: sql<string>`city`,
        region: sql<string>`region`,
        country: sql<string>`country`,
        postalCode: sql<string>`postal_code`,
        startsAt: sql<Millis>`starts_at`,
        timeZone: sql<string>`time_zone`,
      })
      .from(sql`concerts`)
      .where(sql`starts_at > ${at} AND removed_at IS NULL`)
      .orderBy(sql`starts_at`)
      .limit(MAX_PICKUP_SHOWS),
  ])
  const { currency = 'USD', timeZone = 'UTC', homeCountry = '' } = settings[0] ?? {}
  return { currency, timeZone, homeCountry, zones, taxRates: rates, shows }
}

type ShippingRequest = {
  shipment: ShipmentSize
  address: { country: string; state: string } | null
  /** The chosen method; null for none yet. */
  methodId: string | null
}

type ShippingOffer = {
  methods: OfferedMethod[]
  /** The chosen method if it is offered, else the first one for the address, else null. */
  method: OfferedMethod | null
}

/**
 * The methods for an order with shipped goods.
 * @throws AppError, unless a pick-up is chosen: `unserved_country`; `bad_input` for a shipment that is too heavy.
 */
export function offerShipping(shop: Shop, { shipment, address, methodId }: ShippingRequest): ShippingOffer {
  const pickups = offeredMethods(shop, shipment, { country: null })
  const isPickup = pickups.some(({ id }) => id === methodId)
  const methods = address
    ? offeredMethods(shop, shipment, { country: address.country, allowPickupOnly: isPickup })
    : pickups
  const method = methods.find(({ id }) => id === methodId) ?? (address ? methods[0] : undefined) ?? null
  return { methods, method }
}

/** The tax rate of a place's region, else of its country, else no tax. */
export function taxRateAt(shop: Pick<Shop, 'taxRates'>, place: TaxPlace | null): NamedTaxRate {
  if (!place) return UNTAXED
  const region = regionCode(place.country, place.region)
  const inCountry = shop.taxRates.filter(({ country }) => country === place.country)
  const rate =
    (region !== '' && inCountry.find((row) => regionCode(row.country, row.region) === region)) ||
    inCountry.find((row) => row.region === '')
  return rate ? { name: rate.name, ratePer100k: rate.ratePer100k, included: rate.included } : UNTAXED
}

const UNTAXED: NamedTaxRate = { ...NO_TAX, name: '' }

/** The home country's rate, shown until the buyer's address is known; no tax unless prices include it. */
export function homeTaxRate(shop: Pick<Shop, 'taxRates' | 'homeCountry'>): NamedTaxRate {
  const rate = taxRateAt(shop, shop.homeCountry === '' ? null : { country: shop.homeCountry, region: '' })
  return rate.included ? rate : UNTAXED
}

/** `usesStripeTax`: Stripe Tax computes the tax, instead of the admin's rates. */
type TaxSettings = { usesStripeTax: boolean }

/** Whether a location can add tax to a total. */
export const addsTax = ({ taxRates }: Pick<Shop, 'taxRates'>, { usesStripeTax }: TaxSettings): boolean =>
  usesStripeTax || taxRates.some(({ included, ratePer100k }) => !included && ratePer100k > 0)

/** Fields that the tax of goods without delivery depends on; null if nothing is taxed. */
export function taxLocationFieldsOf(
  { taxRates }: Pick<Shop, 'taxRates'>,
  { usesStripeTax }: TaxSettings,
): TaxLocationFields | null {
  // What Stripe requires for a calculation in these countries.
  if (usesStripeTax) return { stateCountries: ['US', 'CA'], postalCodeCountries: ['US'] }
  if (!taxRates.some(({ ratePer100k }) => ratePer100k > 0)) return null
  const regional = taxRates.filter(({ region }) => region !== '')
  return { stateCountries: [...new Set(regional.map(({ country }) => country))], postalCodeCountries: [] }
}

/**
 * Where goods that are picked up are taxed: at the next show, or in the home country if there are no shows. Null if
 * nothing is taxed, or if the place lacks a state or postal code that the tax needs: then the buyer's location decides.
 */
export function pickupTaxPlace(
  { shows, homeCountry }: Pick<Shop, 'shows' | 'homeCountry'>,
  fields: TaxLocationFields | null,
): TaxPlace | null {
  const { country, region, postalCode = '' } = shows[0] ?? { country: homeCountry, region: '' }
  if (fields === null || country === '') return null
  const lacksPostalCode = fields.postalCodeCountries.includes(country) && postalCode === ''
  const lacksState = fields.stateCountries.includes(country) && !isKnownRegion(country, region)
  return lacksPostalCode || lacksState ? null : { country, region, postalCode }
}

/** @throws AppError `bad_input` if a field is missing that the tax depends on. */
export function checkTaxLocation(
  { country, state, postalCode }: Pick<TaxLocation, 'country' | 'state' | 'postalCode'>,
  { stateCountries, postalCodeCountries }: TaxLocationFields,
): void {
  if (stateCountries.includes(country) && !isKnownRegion(country, state))
    throw new AppError(
      'bad_input',
      `Please enter your state or province in ${countryName(country)}: it decides the tax.`,
    )
  if (postalCodeCountries.includes(country) && postalCode === '')
    throw new AppError('bad_input', 'Please enter your ZIP code: it decides the tax.')
}

/** Whether an address can add shipping or tax to a total. */
export const addsShippingOrTax = (shop: Pick<Shop, 'zones' | 'taxRates'>, settings: TaxSettings): boolean =>
  addsTax(shop, settings) ||
  shop.zones.some(({ methods }) =>
    methods.some(({ pricing, baseCents, perItemCents, bands }) =>
      pricing === 'items' ? baseCents + perItemCents > 0 : bands.some(({ priceCents }) => priceCents > 0),
    ),
  )

/** The shipping zones, for public pages. */
export async function listDestinations(db: Db): Promise<ShippingDestinations> {
  const zones = await db
    .select()
    .from(shippingZones)
    .where(isNull(shippingZones.removedAt))
    .orderBy(asc(shippingZones.position), asc(shippingZones.id))
  return {
    zones: zones.map(({ name, kind, countries, methods }) => {
      const byItems = methods.filter(({ pricing }) => pricing === 'items').map(({ baseCents }) => baseCents)
      const freeFrom = methods.flatMap(({ freeFromCents }) => freeFromCents ?? [])
      return {
        name,
        kind,
        countries,
        fromCents: byItems.length > 0 ? Math.min(...byItems) : null,
        freeFromCents: freeFrom.length > 0 ? Math.min(...freeFrom) : null,
      }
    }),
  }
}

const HAS_ORDERS = sql`EXISTS (SELECT 1 FROM orders WHERE status <> 'expired')`

/** The settings in the dashboard's form. */
export async function readSettings(db: Db, { stripeTax }: { stripeTax: boolean }): Promise<ShopSettings> {
  const [row] = await db
    .select({
      currency: site.currency,
      homeCountry: site.homeCountry,
      lowStockThreshold: site.lowStockThreshold,
      hasOrders: sql<number>`${HAS_ORDERS}`,
    })
    .from(site)
  const { currency = 'USD', homeCountry = '', lowStockThreshold = 3, hasOrders = 0 } = row ?? {}
  return { currency, homeCountry, lowStockThreshold, isCurrencyFixed: hasOrders === 1, stripeTax }
}

/**
 * Saves the settings with an audit entry. @throws AppError `conflict` for another currency once there is an order,
 * `unavailable` until the site is set up.
 */
export async function changeSettings(
  db: Db,
  { currency, homeCountry, lowStockThreshold }: ShopSettingsChange,
  actor: Actor,
): Promise<void> {
  const update = db
    .update(site)
    .set({
      currency,
      ...(homeCountry !== undefined && { homeCountry }),
      ...(lowStockThreshold !== undefined && { lowStockThreshold }),
      updatedAt: actor.at,
    })
    .where(and(eq(site.id, 1), sql`(${site.currency} = ${currency} OR NOT ${HAS_ORDERS})`))
    .returning({ id: site.id })
  const [changed, , rows] = await db.$client.batch([
    prepare(db, update),
    recordAuditIfChanged(db, {
      ...actor,
      action: 'shop_settings.changed',
      subject: 'site:1',
      detail: { currency, homeCountry: homeCountry ?? null, lowStockThreshold: lowStockThreshold ?? null },
    }),
    prepare(db, db.select({ id: site.id }).from(site)),
  ])
  if (rows?.results.length !== 1) throw notSetUpError()
  if (changed?.results.length !== 1)
    throw new AppError('conflict', 'The currency can no longer change, because there are orders in the current one.')
}
