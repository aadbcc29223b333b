import * as z from 'zod/mini'

/** A path of this site, never another origin or a script. */
const SitePath = z.string().check(z.regex(/^\/(?![/\\])/))

/** A playable track as this device stores it: in the queue of the last visit, and among the offline tracks. */
export const StoredQueueTrack = z.object({
  id: z.int().check(z.positive()),
  title: z.string(),
  artist: z.string(),
  album: z.string(),
  coverUrl: SitePath,
  coverAlt: z.string(),
  durationSeconds: z.number().check(z.nonnegative()),
  href: z.nullable(SitePath),
  isExclusive: z.boolean(),
  hasAudio: z.literal(true),
})
