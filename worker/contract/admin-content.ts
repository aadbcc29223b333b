import * as z from 'zod/mini'
import { editors, get, patch, post } from './endpoint'
import {
  audioKey,
  calendarDay,
  cents,
  draftVersion,
  httpsUrl,
  imagePath,
  ListOrder,
  line,
  lines,
  optionalLine,
  prose,
  wholeNumber,
} from './fields'
import { parseLyrics } from './lyrics'
import { PRODUCT_KINDS } from './products'
import { recordEndpoints } from './record-endpoints'
import { RELEASE_KINDS, Release } from './releases'
import type { ArtistLinks } from './site'
import { TIERS } from './site'

// Content managed by administrators. A PATCH sends the whole form.

/** Last segment of a page's URL. */
const pageSlug = (name: string) =>
  line(80, name).check(
    z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, `${name} can have lowercase letters, digits and single hyphens.`),
  )

const credits = z
  .array(z.strictObject({ role: line(60, 'The role'), name: line(120, 'The name') }))
  .check(z.maxLength(100, 'There are at most 100 credits.'))

const TrackFields = z.strictObject({
  title: line(120, 'The title'),
  artist: line(120, 'The artist'),
  /**
   * Puts the track on the EP or album of this title, or on a single if empty. If omitted, the track stays where it is;
   * a new track without `releaseId` gets a single.
   */
  album: z.optional(optionalLine(120, 'The album')),
  /** For a new track only: the release that it is appended to; null for none. */
  releaseId: z.optional(z.nullable(line(64, 'The release'))),
  /** Derived from the title if omitted. */
  slug: z.optional(pageSlug('The address')),
  isrc: z.optional(
    optionalLine(15, 'The ISRC').check(
      z.overwrite((code) => code.toUpperCase().replaceAll('-', '')),
      z.regex(/^([A-Z]{2}[A-Z0-9]{3}\d{7})?$/, 'An ISRC has two letters, three letters or digits, and seven digits.'),
    ),
  ),
  lyrics: z.optional(prose(20_000, 'The lyrics')),
  credits: z.optional(credits),
  durationSeconds: wholeNumber('The length', 36_000).check(z.minimum(1, 'The length must be at least a second.')),
  coverUrl: imagePath('The cover'),
  coverAlt: line(300, 'The cover description'),
  spotifyUrl: httpsUrl('The Spotify link'),
  isTrending: z.boolean(),
  isExclusive: z.boolean(),
  position: wholeNumber('The place', 10_000),
  /** Audio file from an upload; null without one. */
  audio: z.nullable(audioKey('The recording')),
  version: draftVersion,
})
const lyricsError = ({ lyrics = '', durationSeconds }: z.infer<typeof TrackFields>) =>
  parseLyrics(lyrics, durationSeconds).errors[0]
export const TrackDraft = TrackFields.check(
  z.refine((draft) => !lyricsError(draft), {
    error: ({ input }) => {
      const error = lyricsError(input as z.infer<typeof TrackFields>)
      return `Line ${error?.line} of the lyrics: ${error?.message}`
    },
    path: ['lyrics'],
  }),
)
export type TrackDraft = z.infer<typeof TrackDraft>
export const AdminTrack = z.object({
  id: z.string(),
  ...z.required(z.omit(TrackFields, { releaseId: true })).shape,
  plays: z.int(),
  /** False before its first release, and while it is on no release. */
  isReleased: z.boolean(),
})
export type AdminTrack = z.infer<typeof AdminTrack>

const ReleaseFields = z.strictObject({
  title: line(120, 'The title'),
  artist: line(120, 'The artist'),
  /** Derived from the title if omitted; cannot change once the release is public or announced. */
  slug: z.optional(pageSlug('The address')),
  kind: z.enum(RELEASE_KINDS, 'Please choose single, EP or album.'),
  coverUrl: imagePath('The cover'),
  coverAlt: line(300, 'The cover description'),
  releasedAt: z.iso.datetime('Please choose a date and a time.'),
  /** Shows title, cover and a countdown before the release. */
  isAnnounced: z.boolean(),
  notes: prose(10_000, 'The notes'),
  credits,
  label: optionalLine(120, 'The label'),
  upc: optionalLine(14, 'The UPC').check(z.regex(/^(\d{12,14})?$/, 'A UPC has 12 to 14 digits.')),
  isExplicit: z.boolean(),
  /** In playing order. */
  trackIds: z.array(z.int().check(z.positive())).check(
    z.maxLength(100, 'A release has at most 100 tracks.'),
    z.refine((ids) => new Set(ids).size === ids.length, 'A track can be on a release only once.'),
  ),
})
export const ReleaseDraft = z.extend(ReleaseFields, { version: draftVersion })
export type ReleaseDraft = z.infer<typeof ReleaseDraft>
export const AdminRelease = z.object({
  id: z.string(),
  ...z.required(ReleaseFields).shape,
  version: z.int(),
})
export type AdminRelease = z.infer<typeof AdminRelease>

const MAX_OPTION_LENGTH = 40
/** A variant of a product as edited; one without `id` is new. */
const VariantDraftFields = z.strictObject({
  id: z.optional(line(80, 'The variant')),
  /** Value of each of the product's options; empty for the only variant. */
  options: z.record(line(MAX_OPTION_LENGTH, 'The option'), line(MAX_OPTION_LENGTH, 'The option’s value')),
  sku: optionalLine(60, 'The SKU'),
  /** The suggested price if the buyer chooses it. */
  priceCents: cents('The price'),
  /** The lowest price that the buyer can choose; null for a fixed price. */
  minimumCents: z.nullable(cents('The lowest price')),
  /** Null if unlimited. Ignored for a bundle, which has the stock of its items. */
  stock: z.nullable(wholeNumber('The stock', 1_000_000)),
  /** The stock when the form was loaded. Only the difference is applied, so that units sold since then stay sold. */
  previousStock: z.optional(z.nullable(z.int())),
  weightGrams: wholeNumber('The weight', 1_000_000),
  /** Empty for the product's first image. */
  imageUrl: z.union([z.literal(''), imagePath('The picture')]),
  /** The digital good of a variant: a release or a track. */
  releaseSlug: z.nullable(optionalLine(80, 'The release')),
  trackId: z.nullable(z.int().check(z.positive())),
  /** Contents of a bundle; they cannot change once the bundle was ordered. */
  items: z
    .array(
      z.strictObject({
        variantId: line(80, 'The item'),
        quantity: wholeNumber('The number of items', 99).check(z.minimum(1, 'The number of items must be at least 1.')),
      }),
    )
    .check(z.maxLength(20, 'A bundle has at most 20 items.')),
})
export const VariantDraft = VariantDraftFields.check(
  z.refine(({ minimumCents, priceCents }) => minimumCents === null || minimumCents <= priceCents, {
    error: 'The lowest price must not be above the suggested one.',
    path: ['minimumCents'],
  }),
  z.refine(({ items }) => new Set(items.map(({ variantId }) => variantId)).size === items.length, {
    error: 'List each item of the bundle once, with its quantity.',
    path: ['items'],
  }),
)
export type VariantDraft = z.infer<typeof VariantDraft>

type WithOptions = { options: Record<string, string> }
const optionNamesKey = ({ options }: WithOptions) => Object.keys(options).join('\n')
const optionValuesKey = ({ options }: WithOptions) => Object.values(options).join('\n').toLowerCase()

const variantDrafts = z.array(VariantDraft).check(
  z.minLength(1, 'A product has at least one variant.'),
  z.maxLength(40, 'A product has at most 40 variants.'),
  z.refine((variants) => new Set(variants.map(optionNamesKey)).size <= 1, 'All variants must have the same options.'),
  z.refine(
    (variants) => new Set(variants.map(optionValuesKey)).size === variants.length,
    'Two variants have the same options. Please change or remove one.',
  ),
)

const ProductFields = z.strictObject({
  name: line(120, 'The name'),
  /** Derived from the name if omitted; cannot change. */
  slug: z.optional(pageSlug('The address')),
  description: prose(2000, 'The description'),
  kind: z.optional(z.enum(PRODUCT_KINDS)),
  /** The product is a pre-order until then; null if it is available now. */
  releasesAt: z.optional(z.nullable(z.iso.datetime('Please choose a date and a time.'))),
  sizeGuide: z.optional(prose(2000, 'The size guide')),
  /** Price and stock of the only variant; ignored if `variants` is sent. */
  priceCents: z.optional(cents('The price')),
  stock: z.optional(wholeNumber('The stock', 1_000_000)),
  /** The variants on sale, in order; omitted ones are no longer sold. */
  variants: z.optional(variantDrafts),
  checkoutUrl: httpsUrl('The checkout link'),
  isFeatured: z.boolean(),
  position: wholeNumber('The place', 10_000),
  images: z
    .array(z.strictObject({ url: imagePath('The picture'), alt: line(300, 'The picture description') }))
    .check(z.maxLength(8, 'A product has at most 8 pictures.')),
  version: draftVersion,
})
export const ProductDraft = ProductFields.check(
  z.refine(
    ({ variants, priceCents, stock }) => variants !== undefined || (priceCents !== undefined && stock !== undefined),
    { error: 'The price and the stock are required.', path: ['priceCents'] },
  ),
)
export type ProductDraft = z.infer<typeof ProductDraft>
export const AdminProduct = z.object({
  id: z.string(),
  ...z.required(z.omit(ProductFields, { variants: true })).shape,
  variants: z.array(
    z.object({ ...z.omit(VariantDraftFields, { previousStock: true }).shape, id: z.string(), name: z.string() }),
  ),
})
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
const timeZone = line(64, 'The time zone').check(
  z.refine(isTimeZone, 'The time zone must be one like America/New_York.'),
)

/** Local date and times; an end time before the start time is on the next day. */
const ConcertFields = z.strictObject({
  date: calendarDay('The date'),
  startTime: timeOfDay('The start'),
  endTime: timeOfDay('The end'),
  timeZone,
  city: line(120, 'The city'),
  venue: line(120, 'The venue'),
  /** As displayed, with city, region and postal code. */
  address: line(200, 'The address'),
  /** State or province. Region, postal code and country are only shown to search engines. */
  region: z.optional(optionalLine(60, 'The state or province')),
  postalCode: z.optional(optionalLine(16, 'The postal code')),
  country: z.optional(
    optionalLine(2, 'The country').check(
      z.overwrite((code) => code.toUpperCase()),
      z.regex(/^([A-Z]{2})?$/, 'The country has two letters, such as US.'),
    ),
  ),
  /** Derived from venue, city and date if omitted; cannot change. */
  slug: z.optional(pageSlug('The page link')),
  /** Integer cents; 0 is free. */
  priceCents: cents('The price'),
  /** Null if unknown. */
  ticketsAvailable: z.nullable(wholeNumber('The number of tickets', 1_000_000)),
  isSoldOut: z.boolean(),
  hasVip: z.boolean(),
  imageUrl: imagePath('The picture'),
  imageAlt: line(300, 'The picture description'),
  version: draftVersion,
})
export const ConcertDraft = ConcertFields.check(
  z.refine(({ startTime, endTime }) => startTime !== endTime, {
    error: 'The start and end times must be different.',
    path: ['endTime'],
  }),
)
export type ConcertDraft = z.infer<typeof ConcertDraft>
export const AdminConcert = z.object({ id: z.string(), ...z.required(ConcertFields).shape })
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
} satisfies Record<keyof z.infer<typeof ArtistLinks>, unknown>

export const SiteDraft = z.strictObject({
  name: line(60, 'The name'),
  tagline: line(120, 'The tagline'),
  city: line(120, 'The city'),
  hashtag: line(60, 'The hashtag').check(
    z.regex(/^#[\p{L}\p{N}_]+$/u, 'The hashtag must be # followed by letters or digits.'),
  ),
  description: prose(400, 'The description').check(z.minLength(1, 'The description is required.')),
  lyric: optionalLine(200, 'The hidden line'),
  referralPrefix: line(12, 'The prefix').check(
    z.regex(/^[A-Z0-9]+$/, 'The prefix must be capital letters and digits.'),
  ),
  timeZone,
  links: z.strictObject(linkFields),
  heroUrl: imagePath('The wide picture'),
  heroPortraitUrl: imagePath('The tall picture'),
  heroAlt: line(300, 'The hero picture description'),
  shareImageUrl: imagePath('The picture for shared links'),
  iconUrl: imagePath('The icon'),
  maskableIconUrl: imagePath('The round icon'),
  version: draftVersion,
})
export type SiteDraft = z.infer<typeof SiteDraft>

const preparesDownloads = { starts: 'prepare_downloads' } as const

// Lists of `recordEndpoints` have 50 rows per page, `?q=`, `?sort=`, `?cursor=` and filters; `?id=` finds one record.

export const adminTracksApi = {
  ...recordEndpoints('/api/admin/tracks', {
    access: editors,
    ...preparesDownloads,
    row: AdminTrack,
    draft: TrackDraft,
    filters: ['state', 'recording', 'marked'],
    remove: {
      recentAuth: true,
      description: 'Soft delete; plays and likes stay. `/api/admin/tracks/:id/restore` undoes it.',
    },
  }),
  reorder: post('/api/admin/track-order', ListOrder, null, editors),
  audio: get('/api/admin/tracks/:id/audio', null, {
    ...editors,
    description: 'The audio file, also before the release.',
  }),
}

export const adminReleasesApi = {
  ...recordEndpoints('/api/admin/releases', {
    access: editors,
    ...preparesDownloads,
    row: AdminRelease,
    draft: ReleaseDraft,
    filters: ['kind', 'state', 'time'],
    list: { description: 'Newest first, including scheduled ones.' },
    update: { description: '409 `conflict` for an outdated or missing `version`.' },
    remove: { recentAuth: true, description: 'Soft delete; `/api/admin/releases/:id/restore` undoes it.' },
  }),
  release: get('/api/admin/releases/:id', AdminRelease, editors),
  preview: get('/api/admin/releases/:id/preview', Release, {
    ...editors,
    description: 'The release as visitors will see it.',
  }),
}

export const adminProductsApi = {
  ...recordEndpoints('/api/admin/products', {
    access: editors,
    ...preparesDownloads,
    row: AdminProduct,
    draft: ProductDraft,
    filters: ['kind', 'stock', 'featured', 'release'],
    remove: { recentAuth: true, description: 'Soft delete; `/api/admin/products/:id/restore` undoes it.' },
  }),
  reorder: post('/api/admin/product-order', ListOrder, null, editors),
}

export const adminConcertsApi = recordEndpoints('/api/admin/concerts', {
  access: editors,
  row: AdminConcert,
  draft: ConcertDraft,
  filters: ['time', 'tickets', 'date'],
  remove: { description: 'Soft delete; `/api/admin/concerts/:id/restore` undoes it.' },
})

/** Content of a tier card. Stripe's prices must agree (README, "Configuration"). */
export const TierDraft = z.strictObject({
  name: line(40, 'The name'),
  /** Integer cents per month; Bronze is free. */
  priceCents: cents('The price'),
  features: lines('The list', { maxLength: 120, maxLines: 12 }),
  popular: z.boolean(),
  version: draftVersion,
})
export type TierDraft = z.infer<typeof TierDraft>
export const AdminTier = z.object({ id: z.enum(TIERS), ...z.required(TierDraft).shape })
export type AdminTier = z.infer<typeof AdminTier>

export const SocialPostDraft = z.strictObject({
  title: line(120, 'The title'),
  url: httpsUrl('The link').check(z.minLength(1, 'The link is required.')),
  imageUrl: imagePath('The picture'),
  imageAlt: line(300, 'The picture description'),
  position: wholeNumber('The place', 10_000),
  version: draftVersion,
})
export type SocialPostDraft = z.infer<typeof SocialPostDraft>
export const AdminSocialPost = z.object({ id: z.string(), ...z.required(SocialPostDraft).shape })
export type AdminSocialPost = z.infer<typeof AdminSocialPost>

export const adminSocialPostsApi = {
  ...recordEndpoints('/api/admin/social-posts', {
    access: editors,
    row: AdminSocialPost,
    draft: SocialPostDraft,
    filters: [],
    remove: { description: 'Soft delete; `/api/admin/social-posts/:id/restore` undoes it.' },
  }),
  reorder: post('/api/admin/social-post-order', ListOrder, null, editors),
}

export const adminSiteApi = {
  site: get('/api/admin/site', SiteDraft, editors),
  updateSite: patch('/api/admin/site', SiteDraft, null, editors),
}

export const adminTiersApi = {
  list: get('/api/admin/tiers', z.array(AdminTier), editors),
  update: patch('/api/admin/tiers/:id', TierDraft, null, editors),
}
