import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { StreamResult } from '../contract/tracks'
import type { BatchResult } from '../db/batch-delete'
import type { Db } from '../db/client'
import type { Job } from '../env'
import { type Millis, SECOND_MS, utcToZonedTime } from '../lib/clock'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/completed-missions'
import { awardStatement } from '../points/points'
import { site } from '../site/site.table'
import { isHeard, type Listen } from './listens'
import { trackNotFound } from './tracks'
import { streamReports, tracks } from './tracks.table'

/** ?1 the person, ?2 the act's key, ?3 its instant: what the act came to. */
const AWARD_OUTCOME = `SELECT points AS total, ${completedMissionsSql('?2', '?3')} AS missions FROM users WHERE id = ?1`

type StreamJob = Extract<Job, { kind: 'stream' }>

type StreamReport = { trackId: number; userId: number | null; listen: Listen | null; at: Millis }

/**
 * Judges a report of a stream, hands the play that it proves to `send`, and pays a supporter for it, once a track and
 * day of the artist's calendar. In this order: what is handed over twice counts once, and a play that could not be
 * handed over is paid with the report that can be. `isSpent` when the listen proved its play.
 * @throws AppError `not_found` for an unknown track; whatever `send` throws.
 */
export async function reportStream(
  db: Db,
  { trackId, userId, listen, at }: StreamReport,
  send: (job: StreamJob) => Promise<unknown>,
): Promise<{ isSpent: boolean; earned: StreamResult }> {
  const [[track], [artist]] = await db.batch([
    db
      .select({ title: tracks.title, seconds: tracks.durationSeconds })
      .from(tracks)
      .where(and(eq(tracks.id, trackId), isNull(tracks.removedAt))),
    db.select({ timeZone: site.timeZone }).from(site).limit(1),
  ])
  if (!track) throw trackNotFound()
  if (!listen || listen.trackId !== trackId || !isHeard(listen, track.seconds, at))
    return { isSpent: false, earned: { pointsAwarded: 0 } }
  const { listener, startedAt } = listen
  await send({ kind: 'stream', listener, trackId, startedAt, countedAt: at })
  const isSpent = true
  // Paid to the account that listened, and to no other that is logged in to the same browser afterwards.
  if (userId === null || listener !== `u${userId}`) return { isSpent, earned: { pointsAwarded: 0 } }
  const day = utcToZonedTime(at, artist?.timeZone ?? 'UTC').date.replaceAll('-', '')
  const subject = `${trackId}:${day}`
  const description = `Listened to “${track.title}”`
  const d1 = db.$client
  const act = awardStatement(db, { userId, action: 'track_stream', subject, description, at }).toSQL()
  const [paid, outcome] = await d1.batch([
    d1.prepare(act.sql).bind(...act.params),
    d1.prepare(AWARD_OUTCOME).bind(userId, `track_stream:${subject}`, at),
  ])
  const [row] = (paid?.results ?? []) as { points: number }[]
  const [now] = (outcome?.results ?? []) as { total: number; missions: string }[]
  if (!(row && now)) return { isSpent, earned: { pointsAwarded: 0 } }
  return {
    isSpent,
    earned: { pointsAwarded: row.points, totalPoints: now.total, missions: parseCompletedMissions(now.missions) },
  }
}

/**
 * Counts the plays of a batch in one round trip; the table's trigger adds each to its day and track. A play counts
 * unless the same listener has one of the same track that began less than the track's length away: nobody can hear a
 * track more often than it can be played. A report that comes twice, or of a track since removed, counts nothing.
 */
export async function countStreams(db: Db, jobs: readonly StreamJob[]): Promise<void> {
  const [first, ...rest] = jobs.map(({ listener, trackId, startedAt, countedAt }) =>
    db
      .insert(streamReports)
      .select(sql`
        SELECT ${listener}, t.id, ${startedAt}, ${countedAt} FROM tracks t
        WHERE t.id = ${trackId} AND t.removed_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM stream_reports r WHERE r.listener = ${listener} AND r.track_id = t.id
          AND r.started_at > ${startedAt} - t.duration_seconds * 1000
          AND r.started_at < ${startedAt} + t.duration_seconds * 1000)`)
      .onConflictDoNothing(),
  )
  if (first) await db.batch([first, ...rest])
}

const DELETE_BATCH_SIZE = 2_000

/** Forgets reports whose cookie is long dead: nobody can send them again, and who listened to what is kept no longer. */
export async function deleteOldStreamReports(db: Db, at: Millis): Promise<BatchResult> {
  const old = db
    .select({ rowid: sql`rowid` })
    .from(streamReports)
    .where(lt(streamReports.countedAt, at - limits.streamReportTtlSeconds * SECOND_MS))
    .limit(DELETE_BATCH_SIZE)
  const { meta } = await db.delete(streamReports).where(sql`rowid IN ${old}`)
  return { affected: meta.changes, more: meta.changes >= DELETE_BATCH_SIZE }
}
