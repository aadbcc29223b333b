import * as z from 'zod/mini'
import { del, get, post } from './endpoint'
import { href } from './fields'
import { PointsAward } from './points'

/** A track as one reader sees it. */
export const Track = z.object({
  id: z.int(),
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
  /** Silver or above. */
  isExclusive: z.boolean(),
  hasAudio: z.boolean(),
  /** By the caller. */
  liked: z.boolean(),
})
export type Track = z.infer<typeof Track>

/** A track counts as heard after so long, or after half of one that is shorter than that (ruling 17). */
export const MIN_STREAM_SECONDS = 30

/** How many seconds of a track must be listened to before its stream may be reported. */
export function minStreamSeconds(durationSeconds: number): number {
  return durationSeconds < MIN_STREAM_SECONDS ? durationSeconds / 2 : MIN_STREAM_SECONDS
}

/** Streaming services that a listener can be sent to. */
export const SERVICES = ['spotify', 'appleMusic', 'youtube', 'youtubeMusic'] as const
export type Service = (typeof SERVICES)[number]

/** An outbound click; `service` may be left out. Sent without a body as well (specification section 7). */
export const OutboundClick = z.optional(z.strictObject({ service: z.optional(z.enum(SERVICES)) }))

/** A stream as the player reports it. The last three are accepted and ignored: the server knows better (ruling 17). */
export const StreamReport = z.strictObject({
  trackId: z.union([z.string().check(z.regex(/^\d{1,9}$/, 'That track does not exist.')), z.int().check(z.positive())]),
  platform: z.string().check(z.maxLength(60)),
  timestamp: z.optional(z.union([z.string().check(z.maxLength(60)), z.number()])),
  userAgent: z.optional(z.string().check(z.maxLength(1000))),
  userTier: z.optional(z.string().check(z.maxLength(20))),
})

/** How a track stands after a like or its return. Points are paid for the first like of a track alone (ruling 18). */
export const TrackLikeResult = z.object({ likes: z.int(), liked: z.boolean(), ...PointsAward.shape })
export type TrackLikeResult = z.infer<typeof TrackLikeResult>

/** What a reported stream came to. A visitor earns nothing and has no total; nor does a report that paid nothing name one. */
export const StreamResult = z.object({ ...z.partial(PointsAward).shape, pointsAwarded: z.int() })
export type StreamResult = z.infer<typeof StreamResult>

const supporter = {
  role: 'supporter',
  signInMessage: 'Please sign up or login to like a track',
  checksSessionInQuery: true,
} as const

export const tracksApi = {
  list: get('/api/tracks', z.array(Track)),
  trending: get('/api/tracks/trending', z.array(Track)),
  audio: get('/api/tracks/:id/audio', null),
  play: post('/api/tracks/:id/play', OutboundClick, null),
  like: post('/api/tracks/:id/like', null, TrackLikeResult, supporter),
  unlike: del('/api/tracks/:id/like', null, TrackLikeResult, supporter),
  stream: post('/api/tracks/stream', StreamReport, StreamResult),
}
