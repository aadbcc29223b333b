import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { AdminRelease, AdminTrack, ReleaseDraft, TrackDraft } from '../contract/admin-content'
import { RELEASE_KINDS, type Release } from '../contract/releases'
import { type Db, prepare } from '../db/client'
import { columnFilter, conditionFilter, containsText, daysFilter, type RecordList } from '../db/list'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { readRelease, releaseNotFoundError } from '../releases/releases'
import { releases, releaseTracks } from '../releases/releases.table'
import { freeSlug, slugify } from '../releases/slug'
import { parseTrackId, trackNotFoundError, UNRELEASED_AT } from '../tracks/tracks'
import { tracks } from '../tracks/tracks.table'
import { requireUploads } from '../uploads/uploads'
import { requireCover } from './images'

const albumTitle = sql<string>`coalesce((SELECT r.title FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
  WHERE rt.track_id = tracks.id AND r.kind <> 'single' AND r.removed_at IS NULL ORDER BY r.released_at, r.id LIMIT 1), '')`

/** @param at the time for which `isReleased` is computed */
const trackFields = (at: Millis) => ({
  id: sql<string>`CAST(${tracks.id} AS TEXT)`,
  slug: tracks.slug,
  title: tracks.title,
  artist: tracks.artist,
  album: albumTitle,
  isrc: tracks.isrc,
  lyrics: tracks.lyrics,
  credits: tracks.credits,
  durationSeconds: tracks.durationSeconds,
  coverUrl: tracks.coverUrl,
  coverAlt: tracks.coverAlt,
  spotifyUrl: tracks.spotifyUrl,
  isTrending: tracks.isTrending,
  isExclusive: tracks.isExclusive,
  position: tracks.position,
  plays: tracks.plays,
  audio: tracks.audioKey,
  isReleased: sql`${tracks.releasedAt} <= ${at}`.mapWith(Boolean),
  version: tracks.version,
})

export const trackCrud: Crud<TrackDraft> = {
  noun: 'track',
  table: tracks,
  ...softDelete(tracks.removedAt),
  isSortable: isNull(tracks.removedAt),

  list: (at) => trackList(at),

  async toRow({ db }, { audio, album, releaseId, slug, ...draft }, id, { at }) {
    const trackId = id === null ? await nextTrackId(db) : parseTrackId(id)
    const [previous] = await db
      .select({
        audio: tracks.audioKey,
        slug: tracks.slug,
        album: albumTitle,
        isSingle: sql`EXISTS (SELECT 1 FROM release_tracks rt JOIN releases r ON r.id = rt.release_id
          WHERE rt.track_id = tracks.id AND r.kind = 'single' AND r.removed_at IS NULL)`.mapWith(Boolean),
        releasedAt: tracks.releasedAt,
      })
      .from(tracks)
      .where(eq(tracks.id, trackId))
    await requireCover(db, draft.coverUrl)
    // A new key must be an upload: the bucket also holds exports and other private files.
    if (audio !== null && audio !== previous?.audio) await requireUploads(db, 'audio', [audio])
    const values = { ...draft, audioKey: audio }
    if (previous) {
      const changedValues = { ...values, slug: await slugToSave(db, tracks, previous, slug, at) }
      if (album === undefined || album === previous.album) return { id: trackId, values: changedValues }
      if (album === '' && previous.isSingle)
        return { id: trackId, values: changedValues, statements: removeFromAlbums(db, trackId) }
      const target = await releaseForTrack(db, { ...draft, album }, previous.releasedAt)
      return {
        id: trackId,
        values: changedValues,
        statements: [...removeFromAlbums(db, trackId), ...appendToRelease(db, target, trackId)],
      }
    }
    const newSlug = await freeSlug(db, tracks, slug ?? slugify(draft.title, 'track'))
    const target: TargetRelease =
      releaseId === undefined ? await releaseForTrack(db, { ...draft, album }, at) : { id: releaseId }
    return {
      id: trackId,
      values: { ...values, slug: newSlug, releasedAt: UNRELEASED_AT },
      statements: appendToRelease(db, target, trackId),
    }
  },
}

const trackList = (at: Millis): RecordList<AdminTrack> => ({
  from: sql`${tracks}`,
  where: isNull(tracks.removedAt),
  id: sql`${tracks.id}`,
  sorts: { position: sql`${tracks.position}`, title: sql`lower(${tracks.title})`, plays: sql`${tracks.plays}` },
  defaultSort: 'position',
  filters: {
    state: conditionFilter({ out: sql`${tracks.releasedAt} <= ${at}`, scheduled: sql`${tracks.releasedAt} > ${at}` }),
    recording: conditionFilter({ yes: isNotNull(tracks.audioKey), none: isNull(tracks.audioKey) }),
    marked: conditionFilter({ trending: sql`${tracks.isTrending}`, exclusive: sql`${tracks.isExclusive}` }),
  },
  search: (q) => ({ where: containsText([sql`${tracks.title}`, sql`${tracks.artist}`, albumTitle], q) }),
  load: (db, ids) =>
    db
      .select(trackFields(at))
      .from(tracks)
      .where(inArray(tracks.id, ids.map(Number))),
})

async function nextTrackId(db: Db): Promise<number> {
  const [row] = await db.select({ id: sql<number>`coalesce(max(${tracks.id}), 0) + 1` }).from(tracks)
  return row?.id ?? 1
}

/** Statements that add a track at the end of a release, unless it is on the release already. */
const appendToRelease = (db: Db, { id, create }: TargetRelease, trackId: number): D1PreparedStatement[] => {
  if (id === null) return []
  const append = db.$client
    .prepare(
      `INSERT INTO release_tracks (release_id, position, track_id)
       SELECT r.id, (SELECT coalesce(max(position), 0) + 1 FROM release_tracks WHERE release_id = r.id), ?2
       FROM releases r WHERE r.id = ?1 AND r.removed_at IS NULL ON CONFLICT DO NOTHING`,
    )
    .bind(id, trackId)
  return create ? [create, append] : [append]
}

const removeFromAlbums = (db: Db, trackId: number): D1PreparedStatement[] => [
  db.$client
    .prepare(
      `DELETE FROM release_tracks WHERE track_id = ?1
       AND release_id IN (SELECT id FROM releases WHERE kind <> 'single')`,
    )
    .bind(trackId),
]

/** A release and, if it is new, the statement that inserts it. The id is null for a track without a release. */
type TargetRelease = { id: string | null; create?: D1PreparedStatement }
type NewTrack = Pick<TrackDraft, 'title' | 'artist' | 'coverUrl' | 'coverAlt' | 'album'>

/** The existing EP or album titled `album`, else a new album of that title; for an empty title a new single. */
async function releaseForTrack(
  db: Db,
  { album = '', title, artist, coverUrl, coverAlt }: NewTrack,
  releasedAt: Millis,
): Promise<TargetRelease> {
  const [existing] = await db
    .select({ id: releases.id })
    .from(releases)
    .where(and(eq(releases.title, album), inArray(releases.kind, ['ep', 'album']), isNull(releases.removedAt)))
    .limit(1)
  if (existing && album !== '') return existing
  const release = {
    id: newId('release'),
    slug: await freeSlug(db, releases, slugify(album || title, 'release')),
    title: album || title,
    artist,
    kind: album === '' ? ('single' as const) : ('album' as const),
    coverUrl,
    coverAlt,
    releasedAt,
  }
  return { id: release.id, create: prepare(db, db.insert(releases).values(release)) }
}

/**
 * The slug to save.
 * @throws AppError `conflict` if another row has the slug, or if the old slug was public or announced: links would break.
 */
async function slugToSave(
  db: Db,
  table: typeof tracks | typeof releases,
  previous: { slug: string; releasedAt: Millis; isAnnounced?: boolean },
  slug: string | undefined,
  at: Millis,
): Promise<string> {
  if (slug === undefined || slug === previous.slug) return previous.slug
  if ((previous.releasedAt <= at || previous.isAnnounced) && previous.slug !== '')
    throw new AppError('conflict', 'That address is already public and cannot change.')
  if ((await freeSlug(db, table, slug)) !== slug) throw new AppError('conflict', 'That address is taken.')
  return slug
}

export const releaseCrud: Crud<ReleaseDraft> = {
  noun: 'release',
  table: releases,
  ...softDelete(releases.removedAt),

  list: (at) => releaseList(at),

  async toRow({ db }, { slug, trackIds, releasedAt, version, ...draft }, id, { at }) {
    await requireCover(db, draft.coverUrl)
    const existingTracks = await db
      .select({ id: tracks.id })
      .from(tracks)
      .where(and(inArray(tracks.id, trackIds), isNull(tracks.removedAt)))
    if (existingTracks.length !== trackIds.length) throw trackNotFoundError()
    const releaseId = id ?? newId('release')
    const values = { ...draft, releasedAt: Date.parse(releasedAt) }
    if (id === null) {
      const newSlug = await freeSlug(db, releases, slug ?? slugify(draft.title, 'release'))
      return { id: releaseId, values: { ...values, slug: newSlug }, statements: replaceTracks(db, releaseId, trackIds) }
    }
    const [previous] = await db
      .select({ slug: releases.slug, releasedAt: releases.releasedAt, isAnnounced: releases.isAnnounced })
      .from(releases)
      .where(eq(releases.id, id))
    if (!previous) throw releaseNotFoundError()
    return {
      id: releaseId,
      // A save must name its version. No release has version 0, so a save without one fails.
      values: { ...values, slug: await slugToSave(db, releases, previous, slug, at), version: version ?? 0 },
      statements: replaceTracks(db, releaseId, trackIds),
    }
  },
}

const replaceTracks = (db: Db, releaseId: string, trackIds: readonly number[]): D1PreparedStatement[] => [
  prepare(db, sql`DELETE FROM release_tracks WHERE release_id = ${releaseId}`),
  prepare(
    db,
    sql`INSERT INTO release_tracks (release_id, position, track_id)
      SELECT ${releaseId}, key + 1, value FROM json_each(${JSON.stringify(trackIds)})`,
  ),
]

/** All releases, newest first, including scheduled ones. */
const releaseList = (at: Millis): RecordList<AdminRelease> => ({
  from: sql`${releases}`,
  where: isNull(releases.removedAt),
  id: sql`${releases.id}`,
  sorts: { time: sql`${releases.releasedAt}`, title: sql`lower(${releases.title})` },
  defaultSort: '-time',
  filters: {
    kind: columnFilter(sql`${releases.kind}`, RELEASE_KINDS),
    state: conditionFilter({
      out: sql`(${releases.releasedAt} <= ${at} AND ${HAS_TRACKS})`,
      scheduled: sql`${releases.releasedAt} > ${at}`,
      hidden: sql`(${releases.releasedAt} <= ${at} AND NOT ${HAS_TRACKS})`,
    }),
    time: daysFilter(sql`${releases.releasedAt}`),
  },
  search: (q) => ({ where: containsText([sql`${releases.title}`, sql`${releases.artist}`], q) }),
  load: async (db, ids) => {
    const [rows, trackRows] = await db.batch([
      db
        .select()
        .from(releases)
        .where(inArray(releases.id, ids.map(String))),
      releaseTracksQuery(db),
    ])
    return rows.map((row) => toAdminRelease(row, trackRows))
  },
})
const HAS_TRACKS = sql`EXISTS (SELECT 1 FROM release_tracks rt JOIN tracks t ON t.id = rt.track_id
  WHERE rt.release_id = releases.id AND t.removed_at IS NULL)`

const releaseTracksQuery = (db: Db) =>
  db
    .select({ releaseId: releaseTracks.releaseId, trackId: releaseTracks.trackId })
    .from(releaseTracks)
    .innerJoin(tracks, eq(tracks.id, releaseTracks.trackId))
    .where(isNull(tracks.removedAt))
    .orderBy(asc(releaseTracks.releaseId), asc(releaseTracks.position))

function toAdminRelease(
  { releasedAt, removedAt: _, ...row }: typeof releases.$inferSelect,
  trackRows: { releaseId: string; trackId: number }[],
): AdminRelease {
  const trackIds = trackRows.filter(({ releaseId }) => releaseId === row.id).map(({ trackId }) => trackId)
  return { ...row, releasedAt: toIso(releasedAt), trackIds }
}

/** @throws AppError `not_found`. */
export async function getAdminRelease(db: Db, id: string): Promise<AdminRelease> {
  const [rows, trackRows] = await db.batch([releaseQuery(db, id), releaseTracksQuery(db)])
  const [row] = rows
  if (!row) throw releaseNotFoundError()
  return toAdminRelease(row, trackRows)
}

/** The release as visitors will see it. @throws AppError `not_found`. */
export async function previewRelease(db: Db, id: string, at: Millis): Promise<Release> {
  const [row] = await releaseQuery(db, id)
  if (!row) throw releaseNotFoundError()
  return readRelease(db, row, at)
}

const releaseQuery = (db: Db, id: string) =>
  db
    .select()
    .from(releases)
    .where(and(eq(releases.id, id), isNull(releases.removedAt)))

/** R2 key of a track's audio file, also before its release. @throws AppError `not_found`. */
export async function findTrackAudioKey(db: Db, id: number): Promise<string> {
  const [row] = await db
    .select({ key: tracks.audioKey })
    .from(tracks)
    .where(and(eq(tracks.id, id), isNull(tracks.removedAt)))
  if (!row?.key) throw trackNotFoundError()
  return row.key
}
