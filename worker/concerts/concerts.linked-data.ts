import type { MusicEvent, PostalAddress, WithContext } from 'schema-dts'
import { showPath } from '../contract/concerts'
import { MINUTE_MS, type Millis, utcToZonedTime } from '../lib/clock'
import { absoluteUrl } from '../lib/url'
import { entryText, type ShowRow } from './concerts'

/**
 * schema.org MusicEvent with the properties that Google requires and recommends. Tickets are sold at the venue, so the
 * offer links to the show's page.
 */
export function musicEvent(
  show: ShowRow,
  artist: { id: string; name: string; currency: string },
  { origin, at }: { origin: string; at: Millis },
): WithContext<MusicEvent> {
  return {
    '@context': 'https://schema.org',
    '@type': 'MusicEvent',
    '@id': `${origin}${showPath(show.slug)}#show`,
    url: `${origin}${showPath(show.slug)}`,
    name: `${artist.name} at ${show.venue}, ${show.city}`,
    startDate: localIso(show.startsAt, show.timeZone),
    endDate: localIso(show.endsAt, show.timeZone),
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    image: [absoluteUrl(show.imageUrl, origin)],
    location: {
      '@type': 'MusicVenue',
      name: show.venue,
      address: postalAddress(show),
    },
    performer: { '@type': 'MusicGroup', '@id': artist.id, name: artist.name },
    organizer: { '@type': 'MusicGroup', '@id': artist.id, name: artist.name, url: `${origin}/` },
    isAccessibleForFree: show.priceCents === 0,
    // A past show sells nothing.
    ...(show.endsAt > at && {
      offers: {
        '@type': 'Offer',
        price: (show.priceCents / 100).toFixed(2),
        priceCurrency: artist.currency,
        availability: `https://schema.org/${show.isSoldOut ? 'SoldOut' : 'InStock'}`,
        url: `${origin}${showPath(show.slug)}`,
        description: entryText(show, artist.currency),
      },
    }),
  }
}

/** Timestamp in the venue's time zone with its offset: `2026-07-04T20:00:00-04:00`. */
function localIso(at: Millis, timeZone: string): string {
  const { date, time } = utcToZonedTime(at, timeZone)
  const offsetMinutes = (Date.parse(`${date}T${time}:00Z`) - Math.floor(at / MINUTE_MS) * MINUTE_MS) / MINUTE_MS
  const formatOffset = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((n) => `${n}`.padStart(2, '0')).join(':')
  return `${date}T${time}:00${offsetMinutes < 0 ? '-' : '+'}${formatOffset(Math.abs(offsetMinutes))}`
}

/** Leaves city, region and postal code out of the displayed address, because each has a separate property. */
function postalAddress({ address, city, region, postalCode, country }: ShowRow): PostalAddress {
  const cityText = `, ${[city, [region, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ')}`
  return {
    '@type': 'PostalAddress',
    streetAddress: address.endsWith(cityText) ? address.slice(0, -cityText.length) : address,
    addressLocality: city,
    ...(region && { addressRegion: region }),
    ...(postalCode && { postalCode }),
    ...(country && { addressCountry: country }),
  }
}
