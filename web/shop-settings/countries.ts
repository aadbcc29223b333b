import { ALL_OTHER_COUNTRIES, COUNTRY_CODES, EU_COUNTRIES } from '../../worker/contract/countries'
import { countryName } from '../checkout/address-lines'

/** 'Germany', or 'Everywhere else' for the countries without a zone. */
export const zoneCountryName = (code: string): string =>
  code === ALL_OTHER_COUNTRIES ? 'Everywhere else' : countryName(code)

/** Select options in alphabetical order. */
export const countryOptions = COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).sort((a, b) =>
  a.label.localeCompare(b.label),
)

/** 'Germany', 'Canada and Mexico', '27 countries: Austria, Belgium, Bulgaria and 24 more'. */
export function summarizeCountries(codes: readonly string[]): string {
  const sorted = codes.map(zoneCountryName).sort((a, b) => a.localeCompare(b))
  if (sorted.length <= 3) return new Intl.ListFormat('en-US').format(sorted)
  return `${sorted.length} countries: ${sorted.slice(0, 3).join(', ')} and ${sorted.length - 3} more`
}

/** Groups of countries that can be added to a zone together. */
export const COUNTRY_GROUPS: readonly { label: string; codes: readonly string[] }[] = [
  { label: 'European Union', codes: EU_COUNTRIES },
  { label: 'Everywhere else', codes: [ALL_OTHER_COUNTRIES] },
]
