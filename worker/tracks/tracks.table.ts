import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from '../users/users.table'

export const tracks = sqliteTable(
  'tracks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    /** Empty for a single. */
    album: text('album').notNull().default(''),
    durationSeconds: integer('duration_seconds').notNull(),
    /** Kept by triggers on track_days. */
    plays: integer('plays').notNull().default(0),
    /** Likes brought along from before the site, plus one for each row of track_likes (kept by triggers). */
    likes: integer('likes').notNull().default(0),
    coverUrl: text('cover_url').notNull(),
    coverAlt: text('cover_alt').notNull(),
    spotifyUrl: text('spotify_url').notNull().default(''),
    isTrending: integer('is_trending', { mode: 'boolean' }).notNull().default(false),
    /** Silver tier or above (ruling 34). */
    isExclusive: integer('is_exclusive', { mode: 'boolean' }).notNull().default(false),
    /** R2 key of the recording; null when there is none. */
    audioKey: text('audio_key'),
    position: integer('position').notNull(),
    releasedAt: integer('released_at').notNull(),
    /** Taken off the site; its plays, likes and ledger stay, and it can be put back. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('tracks_counts', sql`${t.plays} >= 0 and ${t.likes} >= 0 and ${t.durationSeconds} > 0`),
    index('tracks_order').on(t.position, t.id),
    index('tracks_by_plays').on(sql`${t.plays} desc`),
  ],
)

/** Plays of a track on one day (YYYY-MM-DD in UTC). Triggers add every change to `tracks.plays`. */
export const trackDays = sqliteTable(
  'track_days',
  {
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    day: text('day').notNull(),
    plays: integer('plays').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.trackId, t.day] }),
    check('track_days_plays', sql`${t.plays} >= 0`),
    index('track_days_by_day').on(t.day, t.plays),
  ],
)

/**
 * Streams already counted: one a listener, track and start of listening. The key makes a retried or replayed report
 * count once; rows older than two days are swept, because the audio cookie they answer to is dead by then.
 */
export const streamReports = sqliteTable(
  'stream_reports',
  {
    listener: text('listener').notNull(),
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    startedAt: integer('started_at').notNull(),
    countedAt: integer('counted_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.listener, t.trackId, t.startedAt] }), index('stream_reports_age').on(t.countedAt)],
)

export const trackLikes = sqliteTable(
  'track_likes',
  {
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id),
    likedAt: integer('liked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.trackId] })],
)

/** Clicks to a streaming service, per track and day (UTC): counted, never paid, never a play (ruling 17). */
export const outboundClicks = sqliteTable(
  'outbound_clicks',
  {
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    service: text('service').notNull(),
    day: text('day').notNull(),
    clicks: integer('clicks').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.trackId, t.service, t.day] })],
)
