import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { TrackDraft } from '../contract/admin-content'
import { type Db, prepare } from '../db/client'
import { freeSlug, slugify, slugToSave } from '../db/slug'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { albumTitle, trackList } from '../tracks/admin-list'
import { ON_NO_RELEASE_AT, parseTrackId } from '../tracks/tracks'
import { tracks } from '../tracks/tracks.table'
import { requireCover, requireUploads } from '../uploads/uploads'
import { releases } from './releases.table'

/** In this feature and not in tracks, because saving a track also writes its release. */
export const trackCrud: Crud<TrackDraft> = {
  noun: 'track',
  table: tracks,
  ...softDelete(tracks.removedAt),
  isSortable: isNull(tracks.removedAt),

  list: trackList,

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
      // A track on no release has no release time: a new release with it comes out now.
      const releasedAt = previous.releasedAt === ON_NO_RELEASE_AT ? at : previous.releasedAt
      const target = await resolveTargetRelease(db, { ...draft, album }, releasedAt)
      return {
        id: trackId,
        values: changedValues,
        statements: [...removeFromAlbums(db, trackId), ...appendToRelease(db, target, trackId)],
      }
    }
    const newSlug = await freeSlug(db, tracks, slug ?? slugify(draft.title, 'track'))
    const target: TargetRelease =
      releaseId === undefined ? await resolveTargetRelease(db, { ...draft, album }, at) : { id: releaseId }
    return {
      id: trackId,
      values: { ...values, slug: newSlug, releasedAt: ON_NO_RELEASE_AT },
      statements: appendToRelease(db, target, trackId),
    }
  },
}

/** `saveDraft` repeats `toRow` if a concurrent request takes the id. */
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

/** A track's release and, if it is new, the statement that inserts it. The id is null for no release. */
type TargetRelease = { id: string | null; create?: D1PreparedStatement }
type TrackForRelease = Pick<TrackDraft, 'title' | 'artist' | 'coverUrl' | 'coverAlt' | 'album'>

/** The existing EP or album titled `album`, else a new album of that title; for an empty title a new single. */
async function resolveTargetRelease(
  db: Db,
  { album = '', title, artist, coverUrl, coverAlt }: TrackForRelease,
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
