import * as z from 'zod/mini'
import { administrator, del, get, patch, post } from './endpoint'
import { calendarDay, cents, httpsUrl, imagePath, wholeNumber } from './form-fields'
import type { Links } from './site'
import { line, optionalLine, prose } from './text'

// What the artist's people keep at the desk. A PATCH carries the whole of what its form shows.

export const TrackDraft = z.strictObject({
  title: line(120, 'The title'),
  artist: line(120, 'The artist'),
  /** Empty for a single. */
  album: optionalLine(120, 'The album'),
  durationSeconds: wholeNumber('The length', 36_000).check(z.minimum(1, 'The length must be at least a second.')),
  coverUrl: imagePath('The cover'),
  coverAlt: line(300, 'What the cover shows'),
  spotifyUrl: httpsUrl('The Spotify link'),
  isTrending: z.boolean(),
  isExclusive: z.boolean(),
  position: wholeNumber('The place', 10_000),
  /** Its recording, as an upload answers it; null while there is none. */
  audio: z.nullable(
    z
      .string()
      .check(z.regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/, 'The recording must be one that was uploaded here.')),
  ),
})
export type TrackDraft = z.infer<typeof TrackDraft>
export const AdminTrack = z.object({ id: z.string(), ...TrackDraft.shape, plays: z.int() })
export type AdminTrack = z.infer<typeof AdminTrack>

export const ProductDraft = z.strictObject({
  name: line(120, 'The name'),
  description: prose(2000, 'The description'),
  /** Integer cents. */
  priceCents: cents('The price'),
  stock: wholeNumber('The stock', 1_000_000),
  checkoutUrl: httpsUrl('The checkout link'),
  isFeatured: z.boolean(),
  position: wholeNumber('The place', 10_000),
  images: z
    .array(z.strictObject({ url: imagePath('The picture'), alt: line(300, 'What the picture shows') }))
    .check(z.maxLength(8, 'A product has at most 8 pictures.')),
})
export type ProductDraft = z.infer<typeof ProductDraft>
export const AdminProduct = z.object({ id: z.string(), ...ProductDraft.shape })
export type AdminProduct = z.infer<typeof AdminProduct>

const timeOfDay = (name: string) =>
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${name} must be a time like 20:00.`))
const isTimeZone = (zone: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== null
  } catch {
    return false
  }
}
/** An IANA zone. */
const zone = line(64, 'The time zone').check(z.refine(isTimeZone, 'The time zone must be one like America/New_York.'))

/** Date and times are the venue's own; an end before the start is after midnight. */
const ConcertFields = z.strictObject({
  date: calendarDay('The date'),
  startTime: timeOfDay('The start'),
  endTime: timeOfDay('The end'),
  timeZone: zone,
  city: line(120, 'The city'),
  venue: line(120, 'The venue'),
  address: line(200, 'The address'),
  /** Integer cents at the door; 0 is free. */
  priceCents: cents('The price'),
  /** Null where nobody counts. */
  ticketsAvailable: z.nullable(wholeNumber('The number of tickets', 1_000_000)),
  isSoldOut: z.boolean(),
  hasVip: z.boolean(),
  imageUrl: imagePath('The picture'),
  imageAlt: line(300, 'What the picture shows'),
})
export const ConcertDraft = ConcertFields.check(
  z.refine(({ startTime, endTime }) => startTime !== endTime, {
    error: 'The show must end at another time than it begins.',
    path: ['endTime'],
  }),
)
export type ConcertDraft = z.infer<typeof ConcertDraft>
export const AdminConcert = z.object({ id: z.string(), ...ConcertFields.shape })
export type AdminConcert = z.infer<typeof AdminConcert>

const linkFields = {
  instagram: httpsUrl('Instagram'),
  tiktok: httpsUrl('TikTok'),
  youtube: httpsUrl('YouTube'),
  spotify: httpsUrl('Spotify'),
  appleMusic: httpsUrl('Apple Music'),
  youtubeMusic: httpsUrl('YouTube Music'),
  broadcast: httpsUrl('The broadcast channel'),
  contact: httpsUrl('Contact'),
} satisfies Record<keyof z.infer<typeof Links>, unknown>

export const SiteDraft = z.strictObject({
  name: line(60, 'The name'),
  tagline: line(120, 'The tagline'),
  city: line(120, 'The city'),
  hashtag: line(60, 'The hashtag').check(z.regex(/^#[\p{L}\p{N}_]+$/u, 'The hashtag must be # and letters.')),
  description: prose(400, 'The description').check(z.minLength(1, 'The description must not be empty.')),
  lyric: optionalLine(200, 'The hidden line'),
  referralPrefix: line(12, 'The prefix').check(
    z.regex(/^[A-Z0-9]+$/, 'The prefix must be capital letters and digits.'),
  ),
  timeZone: zone,
  links: z.strictObject(linkFields),
  heroUrl: imagePath('The wide picture'),
  heroPortraitUrl: imagePath('The tall picture'),
  heroAlt: line(300, 'What the picture shows'),
  shareImageUrl: imagePath('The picture for shared links'),
  iconUrl: imagePath('The icon'),
  maskableIconUrl: imagePath('The round icon'),
})
export type SiteDraft = z.infer<typeof SiteDraft>

const CreatedId = z.object({ id: z.string() })

export const adminContentApi = {
  tracks: get('/api/admin/tracks', z.array(AdminTrack), administrator),
  addTrack: post('/api/admin/tracks', TrackDraft, CreatedId, administrator),
  updateTrack: patch('/api/admin/tracks/:id', TrackDraft, null, administrator),
  /** Off the site at once; its plays and likes stay, and `restore` puts it back. So with the two below. */
  removeTrack: del('/api/admin/tracks/:id', null, null, administrator),
  restoreTrack: post('/api/admin/tracks/:id/restore', null, null, administrator),
  products: get('/api/admin/products', z.array(AdminProduct), administrator),
  addProduct: post('/api/admin/products', ProductDraft, CreatedId, administrator),
  updateProduct: patch('/api/admin/products/:id', ProductDraft, null, administrator),
  removeProduct: del('/api/admin/products/:id', null, null, administrator),
  restoreProduct: post('/api/admin/products/:id/restore', null, null, administrator),
  concerts: get('/api/admin/concerts', z.array(AdminConcert), administrator),
  addConcert: post('/api/admin/concerts', ConcertDraft, CreatedId, administrator),
  updateConcert: patch('/api/admin/concerts/:id', ConcertDraft, null, administrator),
  removeConcert: del('/api/admin/concerts/:id', null, null, administrator),
  restoreConcert: post('/api/admin/concerts/:id/restore', null, null, administrator),
  site: get('/api/admin/site', SiteDraft, administrator),
  updateSite: patch('/api/admin/site', SiteDraft, null, administrator),
}
