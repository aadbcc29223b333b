import { eq, sql } from 'drizzle-orm'
import type { Job } from '../config'
import type { Db } from '../db/client'
import { type Millis, SECOND, wallClock } from '../lib/clock'
import { limits } from '../limits'
import { award } from '../points/points'
import { site } from '../site/site.table'
import { isHeard, type Listen } from './listens'
import { unknownTrack } from './tracks'
import { streamReports, tracks } from './tracks.table'

type StreamJob = Extract<Job, { kind: 'stream' }>

/**
 * Judges a report of a stream: `job` is the play to be counted, null when the listen does not prove one. A supporter
 * is paid at once, once a track and day of the artist's calendar; the play is counted by the queue.
 * @throws Refused `not_found` for an unknown track.
 */
export async function reportStream(
  db: Db,
  { trackId, userId, listen, at }: { trackId: number; userId: number | null; listen: Listen | null; at: Millis },
): Promise<{ job: StreamJob | null; pointsAwarded: number }> {
  const [[track], [artist]] = await db.batch([
    db.select({ title: tracks.title, seconds: tracks.durationSeconds }).from(tracks).where(eq(tracks.id, trackId)),
    db.select({ timeZone: site.timeZone }).from(site).limit(1),
  ])
  if (!track) throw unknownTrack()
  if (!listen || listen.trackId !== trackId || !isHeard(listen, track.seconds, at))
    return { job: null, pointsAwarded: 0 }
  const { listener, startedAt } = listen
  const job: StreamJob = { kind: 'stream', listener, trackId, startedAt, countedAt: at }
  // Paid to the account that listened, and to no other that is logged in to the same browser afterwards.
  if (userId === null || listener !== `u${userId}`) return { job, pointsAwarded: 0 }
  const day = wallClock(at, artist?.timeZone ?? 'UTC').date.replaceAll('-', '')
  const [paid] = await award(db, {
    userId,
    action: 'track_stream',
    subject: `${trackId}:${day}`,
    description: `Listened to “${track.title}”`,
    at,
  })
  return { job, pointsAwarded: paid?.points ?? 0 }
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
        WHERE t.id = ${trackId} AND NOT EXISTS (
          SELECT 1 FROM stream_reports r WHERE r.listener = ${listener} AND r.track_id = t.id
          AND r.started_at > ${startedAt} - t.duration_seconds * 1000
          AND r.started_at < ${startedAt} + t.duration_seconds * 1000)`)
      .onConflictDoNothing(),
  )
  if (first) await db.batch([first, ...rest])
}

/** Forgets reports whose cookie is long dead: nobody can send them again, and who listened to what is kept no longer. */
export async function sweepStreamReports(db: Db, at: Millis): Promise<number> {
  const old = sql`${streamReports.countedAt} < ${at - limits.streamReportSeconds * SECOND}`
  return (await db.delete(streamReports).where(old)).meta.changes
}
