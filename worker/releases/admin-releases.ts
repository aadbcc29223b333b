import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { AdminRelease, ReleaseDraft } from '../contract/admin-content'
import type { Release } from '../contract/releases'
import { type Db, prepare } from '../db/client'
import { freeSlug, slugify, slugToSave } from '../db/slug'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { trackNotFoundError } from '../tracks/tracks'
import { tracks } from '../tracks/tracks.table'
import { requireCover } from '../uploads/uploads'
import { releaseList, releaseTracksQuery, toAdminRelease } from './admin-list'
import { readRelease, releaseNotFoundError } from './releases'
import { releases } from './releases.table'

export const releaseCrud: Crud<ReleaseDraft> = {
  noun: 'release',
  table: releases,
  ...softDelete(releases.removedAt),

  list: releaseList,

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
      // A save must send its version. No release has version 0, so a save without one fails as outdated.
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

/** The release's form values. @throws AppError `not_found`. */
export async function getAdminRelease(db: Db, id: string): Promise<AdminRelease> {
  const [rows, trackRows] = await db.batch([releaseQuery(db, id), releaseTracksQuery(db, [id])])
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
