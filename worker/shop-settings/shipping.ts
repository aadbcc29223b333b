import { ALL_OTHER_COUNTRIES } from '../contract/countries'
import type { ZoneKind, ZoneShippingMethod } from '../contract/shop-settings'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'

export type ShippingZone = { kind: ZoneKind; countries: readonly string[]; methods: readonly ZoneShippingMethod[] }
/** A show where orders can be picked up. */
export type PickupShow = {
  id: string
  venue: string
  city: string
  region: string
  postalCode?: string
  country: string
  startsAt: Millis
  timeZone: string
}

/** What the price of a shipment depends on. */
export type ShipmentSize = {
  /** Number and weight of the shipped goods. */
  pieces: number
  weightGrams: number
  /** Price of all goods of the order after discounts, including those that are not shipped. */
  goodsCents: number
}

export type OfferedMethod = {
  id: string
  name: string
  priceCents: number
  isPickup: boolean
  /** Where a pick-up is taxed; null for a shipment, which is taxed at its address. */
  place: TaxPlace | null
}

export type TaxPlace = { country: string; region: string; postalCode?: string }

/** The price of a shipment; null if it is too heavy for every weight band. */
function shippingPrice(method: ZoneShippingMethod, { pieces, weightGrams, goodsCents }: ShipmentSize): number | null {
  if (method.freeFromCents !== null && goodsCents >= method.freeFromCents) return 0
  if (method.pricing === 'items') return method.baseCents + method.perItemCents * Math.max(0, pieces - 1)
  return method.bands.find(({ upToGrams }) => weightGrams <= upToGrams)?.priceCents ?? null
}

/**
 * The methods to ship to a country and to pick up; without a country, only the pick-ups.
 * @throws AppError `unserved_country` if no zone has the country, `bad_input` for a shipment that is too heavy; neither
 *   with `allowPickupOnly`.
 */
export function offeredMethods(
  { zones, shows }: { zones: readonly ShippingZone[]; shows: readonly PickupShow[] },
  shipment: ShipmentSize,
  { country, allowPickupOnly = false }: { country: string | null; allowPickupOnly?: boolean },
): OfferedMethod[] {
  const pickups = zones.filter(({ kind }) => kind === 'pickup').flatMap((zone) => pickupMethods(zone, shows, shipment))
  if (country === null) return pickups
  const zone = zoneOf(zones, country)
  const shipments = (zone?.methods ?? []).flatMap((method): OfferedMethod[] => {
    const priceCents = shippingPrice(method, shipment)
    return priceCents === null ? [] : [{ id: method.id, name: method.name, priceCents, isPickup: false, place: null }]
  })
  if (shipments.length === 0 && !allowPickupOnly)
    throw zone ? tooHeavyError(country) : unservedCountryError(country, pickups)
  return [...shipments, ...pickups]
}

const zoneOf = (zones: readonly ShippingZone[], country: string) =>
  zones.find(({ countries }) => countries.includes(country)) ??
  zones.find(({ countries }) => countries.includes(ALL_OTHER_COUNTRIES))

function pickupMethods(
  { methods }: ShippingZone,
  shows: readonly PickupShow[],
  shipment: ShipmentSize,
): OfferedMethod[] {
  return methods.flatMap((method) =>
    shows.flatMap((show): OfferedMethod[] => {
      const priceCents = shippingPrice(method, shipment)
      if (priceCents === null) return []
      const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: show.timeZone }).format(
        show.startsAt,
      )
      const place = { country: show.country, region: show.region, postalCode: show.postalCode ?? '' }
      const name = `${method.name}: ${show.venue}, ${show.city}, ${day}`
      return [{ id: `${method.id}:${show.id}`, name, priceCents, isPickup: true, place }]
    }),
  )
}

let countryNames: Intl.DisplayNames | null = null

/** English name in a sentence: 'Germany', 'the United States'. */
export const countryName = (code: string): string => {
  // Created on first use, because it takes a tenth of the worker's start time.
  countryNames ??= new Intl.DisplayNames('en-US', { type: 'region', fallback: 'code' })
  const name = countryNames.of(code) ?? code
  return /^(United|Netherlands|Philippines|Bahamas|Maldives|Czech R|Dominican R|Central A)|Islands$/.test(name)
    ? `the ${name}`
    : name
}

function unservedCountryError(country: string, pickups: readonly OfferedMethod[]): AppError {
  const alternative =
    pickups.length > 0
      ? ' Please use another address, or pick your order up at a show.'
      : ' Please use another address.'
  return new AppError('unserved_country', `We do not ship to ${countryName(country)} yet.${alternative}`)
}

const tooHeavyError = (country: string) =>
  new AppError('bad_input', `This order is too heavy to ship to ${countryName(country)}. Please order fewer items.`)
