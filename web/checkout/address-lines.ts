import type { ShippingAddress } from '../../worker/contract/checkout'

/** The lines of a postal address, with the country unless it is the United States. */
export function addressLines({ name, line1, line2, city, state, postalCode, country }: ShippingAddress): string[] {
  const cityLine = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, line1, line2 ?? '', cityLine, country === 'US' ? '' : countryName(country)].filter(Boolean)
}

export const countryName = (code: string): string => new Intl.DisplayNames('en-US', { type: 'region' }).of(code) ?? code
