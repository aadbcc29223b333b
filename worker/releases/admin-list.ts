import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { AdminRelease } from '../contract/admin-content'
import { RELEASE_KINDS } from '../contract/releases'
import type { Db } from '../db/client'
import { columnFilter, conditionFilter, containsText, daysFilter, type RecordList } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { tracks } from '../tracks/tracks.table'
import { releases, releaseTracks } from './releases.table'

const HAS_TRACKS = sql`EXISTS (SELECT 1 FROM release_tracks rt JOIN tracks t ON t.id = rt.track_id
  WHERE rt.release_id = releases.id AND t.removed_at IS NULL)`

/** All releases, newest first, including scheduled ones. */
export const releaseList = (at: Millis): RecordList<AdminRelease> => ({
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
      releaseTracksQuery(db, ids.map(String)),
    ])
    return rows.map((row) => toAdminRelease(row, trackRows))
  },
})

/** The tracks of these releases, for `toAdminRelease`. */
export const releaseTracksQuery = (db: Db, releaseIds: readonly string[]) =>
  db
    .select({ releaseId: releaseTracks.releaseId, trackId: releaseTracks.trackId })
    .from(releaseTracks)
    .innerJoin(tracks, eq(tracks.id, releaseTracks.trackId))
    .where(and(inArray(releaseTracks.releaseId, [...releaseIds]), isNull(tracks.removedAt)))
    .orderBy(asc(releaseTracks.releaseId), asc(releaseTracks.position))

export function toAdminRelease(
  { releasedAt, removedAt: _, ...row }: typeof releases.$inferSelect,
  trackRows: { releaseId: string; trackId: number }[],
): AdminRelease {
  const trackIds = trackRows.filter(({ releaseId }) => releaseId === row.id).map(({ trackId }) => trackId)
  return { ...row, releasedAt: toIso(releasedAt), trackIds }
}
