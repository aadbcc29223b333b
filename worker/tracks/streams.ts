import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { StreamResult } from '../contract/tracks'
import { minStreamSeconds } from '../contract/tracks'
import type { BatchResult } from '../db/batch-delete'
import type { Db } from '../db/client'
import type { Job } from '../env'
import { type Millis, SECOND_MS, utcToZonedTime } from '../lib/clock'
import { signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { awardStatement } from '../points/points'
import { site } from '../site/site.table'
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

/**
 * One listening of one track: what the audio cookie says. The server writes nothing when audio is fetched; it signs
 * who fetched what and when, and a later stream report is believed by the age of that signature (ruling 17).
 *
 * How a listen lives:
 * 1. The first fetch of a track's beginning starts it: `startedAt` is that instant.
 * 2. Seeking, pausing and buffering make many more fetches. While the listen is unspent they leave it alone, so the
 *    clock neither restarts (an honest listener would never get there) nor can be wound forward.
 * 3. A report of a listen that is old enough spends it: the answer sets the same listen marked spent. A spent listen
 *    proves nothing any more, so that the rest of the same playing is not paid or counted again.
 * 4. The next fetch of the track's beginning after that starts a new listen, with a new start. Fetches further in
 *    belong to the playing that was reported and start nothing.
 *
 * A client that throws away step 3's cookie and reports the old one again meets the unique key (listener, track,
 * start) of stream_reports; one that starts listen after listen meets its rule of one play per length of the track.
 */
export type Listen = {
  trackId: number
  startedAt: Millis
  /** `u<user id>` of a supporter; `v<random>` of a visitor, the same for all tracks that the browser holds a listen of. */
  listener: string
  spent: boolean
}

const SIGNATURE_PURPOSE = 'listen'
const LISTEN_PATTERN = /^(\d{1,15})\.(\d{1,15})\.(u\d+|v[\w-]{8,64})\.(open|spent)$/

/** A listen as the cookie's value: signed, so that only the server can make one. */
export function signListen(secret: string, { trackId, startedAt, listener, spent }: Listen): Promise<string> {
  return signValue(secret, SIGNATURE_PURPOSE, `${trackId}.${startedAt}.${listener}.${spent ? 'spent' : 'open'}`)
}

/** The listen in a cookie's value; null when it is forged, malformed or too old to be reported. */
export async function verifyListen(secret: string, signed: string | undefined, at: Millis): Promise<Listen | null> {
  const value = signed === undefined ? null : await verifySignedValue(secret, SIGNATURE_PURPOSE, signed)
  const [, trackId, startedAt, listener, state] = (value && LISTEN_PATTERN.exec(value)) || []
  if (!trackId || !startedAt || !listener) return null
  const listen = { trackId: Number(trackId), startedAt: Number(startedAt), listener, spent: state === 'spent' }
  const age = at - listen.startedAt
  return age >= 0 && age < limits.audioCookieTtlSeconds * SECOND_MS ? listen : null
}

/**
 * The listen that a fetch of a track's beginning starts, or null when the one that stands goes on.
 * `current` is this browser's listen of this very track, `others` its listens of other tracks.
 */
export function nextListen({
  trackId,
  userId,
  current,
  others,
  at,
}: {
  trackId: number
  userId: number | null
  current: Listen | null
  others: readonly (Listen | null)[]
  at: Millis
}): Listen | null {
  const visitorId = [current, ...others].find((listen) => listen?.listener.startsWith('v'))?.listener
  const listener = userId === null ? (visitorId ?? `v${crypto.randomUUID()}`) : `u${userId}`
  // Another listener's unspent listen (the person logged in or out in between) is not this one's to go on with.
  if (current && !current.spent && current.listener === listener) return null
  return { trackId, startedAt: at, listener, spent: false }
}

/** True when a listen shows that its track was heard by `at`: 30 seconds, or half of a shorter track. */
export function isHeard(listen: Listen, durationSeconds: number, at: Millis): boolean {
  return !listen.spent && at - listen.startedAt >= minStreamSeconds(durationSeconds) * SECOND_MS
}
