import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Credit } from '../contract/releases'
import { users } from '../users/users.table'

export const tracks = sqliteTable(
  'tracks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Last segment of the track's address; fixed once the track was public. */
    slug: text('slug').notNull().default(''),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    /** International Standard Recording Code; empty if unknown. */
    isrc: text('isrc').notNull().default(''),
    /** Plain text or LRC. */
    lyrics: text('lyrics').notNull().default(''),
    credits: text('credits', { mode: 'json' }).$type<Credit[]>().notNull().default([]),
    durationSeconds: integer('duration_seconds').notNull(),
    /** Sum of track_days; updated by triggers. */
    plays: integer('plays').notNull().default(0),
    /** Likes from before the site, plus the rows of track_likes; updated by triggers. */
    likes: integer('likes').notNull().default(0),
    coverUrl: text('cover_url').notNull(),
    coverAlt: text('cover_alt').notNull(),
    spotifyUrl: text('spotify_url').notNull().default(''),
    isTrending: integer('is_trending', { mode: 'boolean' }).notNull().default(false),
    /** For silver and gold only. */
    isExclusive: integer('is_exclusive', { mode: 'boolean' }).notNull().default(false),
    /** R2 key of the audio file, if there is one. */
    audioKey: text('audio_key'),
    position: integer('position').notNull(),
    /** Time of the track's earliest release, updated by triggers; `ON_NO_RELEASE_AT` if it is on no release. */
    releasedAt: integer('released_at').notNull(),
    /** Removed from the site; can be restored with its plays and likes. */
    removedAt: integer('removed_at'),
    /** Incremented with every save. A save must send the version that it changes. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('tracks_slug').on(t.slug).where(sql`${t.slug} <> ''`),
    index('tracks_by_release').on(t.releasedAt),
    index('tracks_by_cover').on(t.coverUrl),
    check('tracks_counts', sql`${t.plays} >= 0 and ${t.likes} >= 0 and ${t.durationSeconds} > 0`),
    index('tracks_order').on(t.position, t.id),
    index('tracks_by_plays').on(sql`${t.plays} desc`),
  ],
)

/** Plays of a track per day (YYYY-MM-DD, the artist's time zone). The empty day sums what retention removed. */
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

/** Counted streams; the primary key rejects replayed reports. Deleted after two days, when the cookie has expired. */
export const streamReports = sqliteTable(
  'stream_reports',
  {
    listener: text('listener').notNull(),
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
    startedAt: integer('started_at').notNull(),
    countedAt: integer('counted_at').notNull(),
    /** The artist's day that the play counts on. */
    day: text('day').notNull().default(''),
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

/** Clicks to a streaming service, per track and UTC day. */
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
