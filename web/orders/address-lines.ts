import type { ShippingAddress } from '../../worker/contract/orders'

/** An address as it stands on a parcel, line by line; the country where it is another one. */
export function addressLines({ name, line1, line2, city, state, postalCode, country }: ShippingAddress): string[] {
  const town = [[city, state].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [name, line1, line2 ?? '', town, country === 'US' ? '' : country].filter(Boolean)
}
