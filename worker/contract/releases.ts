import * as z from 'zod/mini'
import { get, visitor } from './endpoint'
import { href, timestamp } from './fields'
import type { ResponsiveImage } from './images'

export const RELEASE_KINDS = ['single', 'ep', 'album'] as const
export type ReleaseKind = (typeof RELEASE_KINDS)[number]

/** A contribution, such as `{ role: 'Producer', name: '…' }`. */
export const Credit = z.object({ role: z.string(), name: z.string() })
export type Credit = z.infer<typeof Credit>

/** `at` is in seconds from the start of the track. `lines` is empty if the lyrics are not timed. */
export const Lyrics = z.object({
  plain: z.string(),
  lines: z.array(z.object({ at: z.number(), text: z.string() })),
})
export type Lyrics = z.infer<typeof Lyrics>

export const ReleaseSummary = z.object({
  slug: z.string(),
  title: z.string(),
  artist: z.string(),
  kind: z.enum(RELEASE_KINDS),
  coverUrl: href,
  coverAlt: z.string(),
  releasedAt: timestamp,
  trackCount: z.int(),
  durationSeconds: z.int(),
})
export type ReleaseSummary = z.infer<typeof ReleaseSummary>

/** A scheduled release with a countdown page. */
export const AnnouncedRelease = z.omit(ReleaseSummary, { trackCount: true, durationSeconds: true })
export type AnnouncedRelease = z.infer<typeof AnnouncedRelease>

export const ReleaseTrack = z.object({
  id: z.int(),
  slug: z.string(),
  /** Place in the release, counted from 1. */
  position: z.int(),
  title: z.string(),
  artist: z.string(),
  durationSeconds: z.int(),
  coverUrl: href,
  coverAlt: z.string(),
  isrc: z.string(),
  lyrics: z.nullable(Lyrics),
  credits: z.array(Credit),
  /** For silver and gold members only. */
  isExclusive: z.boolean(),
  hasAudio: z.boolean(),
  plays: z.int(),
  likes: z.int(),
  spotifyUrl: z.string(),
  /** Every public release with this track, oldest first. */
  releases: z.array(z.object({ slug: z.string(), title: z.string(), kind: z.enum(RELEASE_KINDS) })),
})
export type ReleaseTrack = z.infer<typeof ReleaseTrack>

export const Release = z.object({
  ...ReleaseSummary.shape,
  notes: z.string(),
  credits: z.array(Credit),
  label: z.string(),
  upc: z.string(),
  isExplicit: z.boolean(),
  tracks: z.array(ReleaseTrack),
})
export type Release = z.infer<typeof Release>

/** Whether the release is out; otherwise its page shows a countdown. */
export const isReleased = (release: Release | AnnouncedRelease): release is Release => 'tracks' in release

/** oEmbed 1.0, type `rich`. */
export const Oembed = z.object({
  type: z.literal('rich'),
  version: z.literal('1.0'),
  title: z.string(),
  author_name: z.string(),
  author_url: z.url(),
  provider_name: z.string(),
  provider_url: z.url(),
  thumbnail_url: z.optional(z.url()),
  thumbnail_width: z.optional(z.int()),
  thumbnail_height: z.optional(z.int()),
  html: z.string(),
  width: z.int(),
  height: z.int(),
})
export type Oembed = z.infer<typeof Oembed>

/** Paths of a release's page and of a track's page. */
export const releasePath = (slug: string) => `/music/${encodeURIComponent(slug)}`
export const trackPath = (releaseSlug: string, slug: string) =>
  `${releasePath(releaseSlug)}/${encodeURIComponent(slug)}`

export const RELEASE_KIND_LABEL: Readonly<Record<ReleaseKind, string>> = { single: 'Single', ep: 'EP', album: 'Album' }

/** Titles of the pages of a release and of a track on it. */
export const releaseTitle = (release: Release | AnnouncedRelease) =>
  `${release.title} (${isReleased(release) ? RELEASE_KIND_LABEL[release.kind] : 'Coming Soon'})`
export const trackTitle = (release: ReleaseSummary, { title }: ReleaseTrack) =>
  title === release.title ? `${title} (Song)` : `${title}, from ${release.title}`

/** Cover of the release page and of the track page; the page and the preload link must request the same files. */
export const RELEASE_COVER_IMAGE: ResponsiveImage = {
  widths: [320, 640, 960],
  width: 1200,
  height: 1200,
  sizes: '(width < 64rem) 88vw, min(46vw, 42rem)',
}
export const TRACK_COVER_IMAGE: ResponsiveImage = {
  ...RELEASE_COVER_IMAGE,
  sizes: '(width < 64rem) 62vw, min(32vw, 28rem)',
}

export const releasesApi = {
  list: get('/api/releases', z.array(ReleaseSummary), { ...visitor, description: 'Public releases, newest first.' }),
  announced: get('/api/announced-releases', z.array(AnnouncedRelease), {
    ...visitor,
    description: 'Scheduled releases with a countdown page, the next one first.',
  }),
  bySlug: get('/api/releases/:slug', Release, {
    ...visitor,
    description: '404 `not_found` before the release time, announced or not.',
  }),
  oembed: get('/api/oembed', Oembed, {
    ...visitor,
    description: '`?url=` is a release or track page; `maxwidth` and `maxheight` in pixels; `format` must be json.',
    query: ['url', 'maxwidth', 'maxheight', 'format'],
  }),
  embed: get('/embed/:slug', null, { ...visitor, description: 'The only pages that other sites may frame.' }),
  embedTrack: get('/embed/:slug/:track', null, visitor),
}
