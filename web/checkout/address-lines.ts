import type { ShippingAddress } from '../../worker/contract/checkout'

/** Countries where the postal code precedes the city. */
const POSTAL_CODE_FIRST = new Set(
  'AD AT BE BG CH CY CZ DE DK EE ES FI FR GL GR HR HU IS IT LI LT LU MC ME MK MX NL NO PL PT RO RS SE SI SK SM TR UA VA'.split(
    ' ',
  ),
)

/** The lines of a postal address, with the country unless it is the United States. */
export function addressLines({ name, line1, line2, city, state, postalCode, country }: ShippingAddress): string[] {
  const place = [city, state].filter(Boolean).join(', ')
  const cityLine = (POSTAL_CODE_FIRST.has(country) ? [postalCode, place] : [place, postalCode])
    .filter(Boolean)
    .join(' ')
  return [name, line1, line2 ?? '', cityLine, country === 'US' ? '' : countryName(country)].filter(Boolean)
}

const countryNames = new Intl.DisplayNames('en-US', { type: 'region' })

export const countryName = (code: string): string => countryNames.of(code) ?? code
