import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { Credit, ReleaseKind } from '../contract/releases'
import { tracks } from '../tracks/tracks.table'

export const releases = sqliteTable(
  'releases',
  {
    id: text('id').primaryKey(),
    /** Last segment of the release page's path; fixed once the release was public. */
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    artist: text('artist').notNull(),
    kind: text('kind').$type<ReleaseKind>().notNull(),
    coverUrl: text('cover_url').notNull(),
    coverAlt: text('cover_alt').notNull(),
    /** Before this time only the team sees the release; visitors see at most its countdown (`isAnnounced`). */
    releasedAt: integer('released_at').notNull(),
    /** Shows title, cover and a countdown before the release. */
    isAnnounced: integer('is_announced', { mode: 'boolean' }).notNull().default(false),
    notes: text('notes').notNull().default(''),
    credits: text('credits', { mode: 'json' }).$type<Credit[]>().notNull().default([]),
    label: text('label').notNull().default(''),
    upc: text('upc').notNull().default(''),
    isExplicit: integer('is_explicit', { mode: 'boolean' }).notNull().default(false),
    /** Incremented with every save. A save must send the version that it changes. */
    version: integer('version').notNull().default(1),
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('releases_kind', sql`${t.kind} in ('single', 'ep', 'album')`),
    uniqueIndex('releases_slug').on(t.slug),
    index('releases_by_time').on(t.releasedAt),
    index('releases_by_cover').on(t.coverUrl),
  ],
)

export const releaseTracks = sqliteTable(
  'release_tracks',
  {
    releaseId: text('release_id')
      .notNull()
      .references(() => releases.id),
    /** From 1. */
    position: integer('position').notNull(),
    trackId: integer('track_id')
      .notNull()
      .references(() => tracks.id),
  },
  (t) => [
    primaryKey({ columns: [t.releaseId, t.position] }),
    uniqueIndex('release_tracks_by_track').on(t.trackId, t.releaseId),
  ],
)
