type ParsedVenue = {
  venue: string
  address: string
  city: string
  region?: string
  postalCode?: string
  country?: string
}

const US_STATE_AND_ZIP = /^([A-Z]{2}) (\d{5}(?:-\d{4})?)$/
const POSTAL_CODE_AND_CITY = /^(\d{4,5}) (\D+)$/
const UNITED_STATES = /^(USA?|United States)$/

/**
 * Parses a venue and its address on one line, as map apps copy it: 'Ruby Room, 100 Main St, Tampa, FL 33602' or
 * 'Kantine, Am Wriezener Bahnhof 1, 10243 Berlin'. Null for any other text.
 */
export function parseVenueLine(text: string): ParsedVenue | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (UNITED_STATES.test(parts.at(-1) ?? '')) parts.pop()
  const [venue = '', ...address] = parts
  const lastPart = address.at(-1) ?? ''
  const [, region, zip] = US_STATE_AND_ZIP.exec(lastPart) ?? []
  const city = address.at(-2)
  if (region && zip && city && address.length >= 3)
    return { venue, address: address.join(', '), city, region, postalCode: zip, country: 'US' }
  const [, postalCode, town] = POSTAL_CODE_AND_CITY.exec(lastPart) ?? []
  if (postalCode && town && address.length >= 2) return { venue, address: address.join(', '), city: town, postalCode }
  return null
}
