import * as z from 'zod/mini'
import { del, get, post, user, visitor } from './endpoint'
import { href } from './fields'
import { PointsAward } from './points'

export const Track = z.object({
  id: z.int(),
  slug: z.string(),
  /** Slug of the earliest public release with the track; null without one. */
  releaseSlug: z.nullable(z.string()),
  title: z.string(),
  artist: z.string(),
  /** Empty for a single. */
  album: z.string(),
  /** Seconds. */
  duration: z.int(),
  plays: z.int(),
  likes: z.int(),
  coverUrl: href,
  coverAlt: z.string(),
  spotifyUrl: z.string(),
  isTrending: z.boolean(),
  /** For silver and gold members only. */
  isExclusive: z.boolean(),
  hasAudio: z.boolean(),
  liked: z.boolean(),
})
export type Track = z.infer<typeof Track>

export const MIN_STREAM_SECONDS = 30

/** Seconds to listen before a stream may be reported: 30, or half of a track shorter than that. */
export function minStreamSeconds(durationSeconds: number): number {
  return durationSeconds < MIN_STREAM_SECONDS ? durationSeconds / 2 : MIN_STREAM_SECONDS
}

/** Streaming services for outbound links. */
export const STREAMING_SERVICES = ['spotify', 'appleMusic', 'youtube', 'youtubeMusic'] as const
export type StreamingService = (typeof STREAMING_SERVICES)[number]

/** The streaming service that a visitor opens; the body may be missing. */
const OutboundClick = z.optional(z.strictObject({ service: z.optional(z.enum(STREAMING_SERVICES)) }))

/** Only `trackId` is used; the other fields are accepted and ignored. */
export const StreamReport = z.strictObject({
  trackId: z.union([z.string().check(z.regex(/^\d{1,9}$/, 'That track does not exist.')), z.int().check(z.positive())]),
  platform: z.string().check(z.maxLength(60)),
  timestamp: z.optional(z.union([z.string().check(z.maxLength(60)), z.number()])),
  userAgent: z.optional(z.string().check(z.maxLength(1000))),
  userTier: z.optional(z.string().check(z.maxLength(20))),
})

/** `listen` is the token in the `listen-token` header of the audio's response. */
export const EmbedStreamReport = z.strictObject({
  trackId: z.int().check(z.positive()),
  listen: z.string().check(z.maxLength(200)),
})

/** Only the first like of a track earns points. */
export const TrackLikeResult = z.object({ likes: z.int(), liked: z.boolean(), ...PointsAward.shape })
export type TrackLikeResult = z.infer<typeof TrackLikeResult>

/** `totalPoints` and `missions` are missing for visitors and for reports that earn nothing. */
export const StreamResult = z.object({ ...z.partial(PointsAward).shape, pointsAwarded: z.int() })
export type StreamResult = z.infer<typeof StreamResult>

const supporter = {
  ...user,
  signInMessage: 'Please sign up or login to like a track',
  checksSessionInSql: true,
} as const

export const tracksApi = {
  list: get('/api/tracks', z.array(Track), visitor),
  trending: get('/api/tracks/trending', z.array(Track), visitor),
  audio: get('/api/tracks/:id/audio', null, visitor),
  countClick: post('/api/tracks/:id/play', OutboundClick, null, {
    ...visitor,
    description: 'Counts an outbound click to a streaming service.',
  }),
  like: post('/api/tracks/:id/like', null, TrackLikeResult, supporter),
  unlike: del('/api/tracks/:id/like', null, TrackLikeResult, supporter),
  reportStream: post('/api/tracks/stream', StreamReport, StreamResult, { ...visitor, status: 202 }),
  embedAudio: get('/api/embed/tracks/:id/audio', null, visitor),
  reportEmbedStream: post('/api/embed/stream', EmbedStreamReport, null, { ...visitor, status: 202, anyOrigin: true }),
}
