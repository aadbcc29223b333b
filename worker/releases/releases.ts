import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { parseLyrics } from '../contract/lyrics'
import {
  type AnnouncedRelease,
  type Release,
  type ReleaseSummary,
  type ReleaseTrack,
  releasePath,
  trackPath,
} from '../contract/releases'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { isPublicTrack, trackNotFoundError } from '../tracks/tracks'
import { tracks } from '../tracks/tracks.table'
import { releases, releaseTracks } from './releases.table'

/** Condition: visitors may see the release. One without tracks, such as a single whose track was removed, is hidden. */
const isPublicRelease = (at: Millis) =>
  and(isNull(releases.removedAt), lte(releases.releasedAt, at), gt(sumOfTracks('1'), 0))

/** Condition: visitors may see the countdown to the release. */
const isAnnouncedRelease = (at: Millis) =>
  and(isNull(releases.removedAt), eq(releases.isAnnounced, true), gt(releases.releasedAt, at))

type ReleaseRow = typeof releases.$inferSelect

/** Public releases, newest first. */
export async function listReleases(db: Db, at: Millis): Promise<ReleaseSummary[]> {
  const rows = await db
    .select({ release: releases, trackCount: sumOfTracks('1'), durationSeconds: sumOfTracks('duration_seconds') })
    .from(releases)
    .where(isPublicRelease(at))
    .orderBy(desc(releases.releasedAt), asc(releases.id))
  return rows.map(({ release, ...totals }) => toSummary(release, totals))
}

/** Announced releases, the next one first. */
export async function listAnnouncedReleases(db: Db, at: Millis): Promise<AnnouncedRelease[]> {
  const rows = await db
    .select()
    .from(releases)
    .where(isAnnouncedRelease(at))
    .orderBy(asc(releases.releasedAt), asc(releases.id))
  return rows.map(toAnnounced)
}

/** Sum of a column over the release's tracks; for '1', their number. */
const sumOfTracks = (column: '1' | 'duration_seconds') =>
  sql<number>`(SELECT coalesce(sum(${sql.raw(column)}), 0) FROM release_tracks JOIN tracks ON tracks.id = release_tracks.track_id
    WHERE release_tracks.release_id = releases.id AND tracks.removed_at IS NULL)`

/** Limits the podcast feed, which reads a file's metadata from R2 for each track. */
const MAX_FEED_TRACKS = 200

/** Tracks that visitors may play, each with its earliest release, newest release first. */
export async function listFeedTracks(db: Db, at: Millis) {
  const rows = await db
    .select({ track: tracks, release: releases })
    .from(releaseTracks)
    .innerJoin(tracks, eq(tracks.id, releaseTracks.trackId))
    .innerJoin(releases, eq(releases.id, releaseTracks.releaseId))
    .where(and(isPublicRelease(at), isPublicTrack(at), eq(tracks.isExclusive, false), isNotNull(tracks.audioKey)))
    .orderBy(desc(releases.releasedAt), desc(releases.id), asc(releaseTracks.position))
  // Rows are newest first, so the map keeps the last row of each track: its earliest release.
  const earliest = new Map(rows.map(({ track, release }) => [track.id, release.id]))
  return rows.filter(({ track, release }) => earliest.get(track.id) === release.id).slice(0, MAX_FEED_TRACKS)
}
export type FeedTrack = Awaited<ReturnType<typeof listFeedTracks>>[number]

/** A public release with its tracks. @throws AppError `not_found`. */
export async function getRelease(db: Db, { slug, at }: { slug: string; at: Millis }): Promise<Release> {
  const [row] = await db
    .select()
    .from(releases)
    .where(and(eq(releases.slug, slug), isPublicRelease(at)))
  if (!row) throw releaseNotFoundError()
  return readRelease(db, row, at)
}

/** A public release, or the countdown to an announced one. @throws AppError `not_found`. */
export async function getReleasePage(
  db: Db,
  { slug, at }: { slug: string; at: Millis },
): Promise<Release | AnnouncedRelease> {
  const [row] = await db
    .select()
    .from(releases)
    .where(and(eq(releases.slug, slug), or(isPublicRelease(at), isAnnouncedRelease(at))))
  if (!row) throw releaseNotFoundError()
  return row.releasedAt > at ? toAnnounced(row) : readRelease(db, row, at)
}

/** A public release and one of its tracks. @throws AppError `not_found`. */
export async function findReleaseTrack(
  db: Db,
  { slug, trackSlug, at }: { slug: string; trackSlug: string; at: Millis },
): Promise<{ release: Release; track: ReleaseTrack }> {
  const release = await getRelease(db, { slug, at })
  const track = release.tracks.find((candidate) => candidate.slug === trackSlug)
  if (!track) throw trackNotFoundError()
  return { release, track }
}

/** Paths of announced and public releases, newest first, each followed by the paths of tracks first released on it. */
export async function listMusicPaths(db: Db, at: Millis): Promise<string[]> {
  const rows = await db
    .select({ release: releases.slug, trackId: tracks.id, track: tracks.slug })
    .from(releases)
    .leftJoin(releaseTracks, eq(releaseTracks.releaseId, releases.id))
    .leftJoin(tracks, and(eq(tracks.id, releaseTracks.trackId), isPublicTrack(at)))
    .where(or(isPublicRelease(at), isAnnouncedRelease(at)))
    .orderBy(asc(releases.releasedAt), asc(releases.id), asc(releaseTracks.position))
  const listedTracks = new Set<number>()
  const pathsByRelease = new Map<string, string[]>()
  for (const { release, trackId, track } of rows) {
    const paths = pathsByRelease.get(release) ?? [releasePath(release)]
    pathsByRelease.set(release, paths)
    if (trackId === null || track === null || listedTracks.has(trackId)) continue
    listedTracks.add(trackId)
    paths.push(trackPath(release, track))
  }
  return [...pathsByRelease.values()].reverse().flat()
}

/** Any release, even a scheduled one, as visitors see it once it is out. */
export async function readRelease(db: Db, row: ReleaseRow, at: Millis): Promise<Release> {
  const releaseTrackList = await tracksOf(db, row, Math.max(at, row.releasedAt))
  const durationSeconds = releaseTrackList.reduce((sum, track) => sum + track.durationSeconds, 0)
  const { notes, credits, label, upc, isExplicit } = row
  const summary = toSummary(row, { trackCount: releaseTrackList.length, durationSeconds })
  return { ...summary, notes, credits, label, upc, isExplicit, tracks: releaseTrackList }
}

async function tracksOf(db: Db, { id }: ReleaseRow, at: Millis): Promise<ReleaseTrack[]> {
  const rows = await db
    .select({ position: releaseTracks.position, track: tracks })
    .from(releaseTracks)
    .innerJoin(tracks, eq(tracks.id, releaseTracks.trackId))
    .where(and(eq(releaseTracks.releaseId, id), isPublicTrack(at)))
    .orderBy(asc(releaseTracks.position))
  if (rows.length === 0) return []
  const trackIds = rows.map(({ track }) => track.id)
  const appearances = await db
    .select({ trackId: releaseTracks.trackId, slug: releases.slug, title: releases.title, kind: releases.kind })
    .from(releaseTracks)
    .innerJoin(releases, eq(releases.id, releaseTracks.releaseId))
    .where(and(inArray(releaseTracks.trackId, trackIds), isPublicRelease(at)))
    .orderBy(asc(releases.releasedAt), asc(releases.id))
  return rows.map(({ position, track }) => ({
    id: track.id,
    slug: track.slug,
    position,
    title: track.title,
    artist: track.artist,
    durationSeconds: track.durationSeconds,
    coverUrl: track.coverUrl,
    coverAlt: track.coverAlt,
    isrc: track.isrc,
    lyrics: track.lyrics === '' ? null : parseLyrics(track.lyrics, track.durationSeconds).lyrics,
    credits: track.credits,
    isExclusive: track.isExclusive,
    hasAudio: track.audioKey !== null,
    plays: track.plays,
    likes: track.likes,
    spotifyUrl: track.spotifyUrl,
    releases: appearances
      .filter(({ trackId }) => trackId === track.id)
      .map(({ slug, title, kind }) => ({ slug, title, kind })),
  }))
}

const toSummary = (row: ReleaseRow, totals: { trackCount: number; durationSeconds: number }): ReleaseSummary => ({
  ...toAnnounced(row),
  ...totals,
})

const toAnnounced = ({ slug, title, artist, kind, coverUrl, coverAlt, releasedAt }: ReleaseRow): AnnouncedRelease => ({
  slug,
  title,
  artist,
  kind,
  coverUrl,
  coverAlt,
  releasedAt: toIso(releasedAt),
})

export const releaseNotFoundError = () => new AppError('not_found', 'That release does not exist.')
