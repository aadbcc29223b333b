import { and, eq, lt, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { minStreamSeconds, type StreamResult } from '../contract/tracks'
import { artistTimeZone } from '../db/artist-calendar'
import type { BatchResult } from '../db/cleanup-batches'
import { type Db, openDb } from '../db/client'
import type { Deps } from '../deps'
import { AppError } from '../lib/app-error'
import { type Millis, SECOND_MS, utcToZonedTime } from '../lib/clock'
import { randomSecret, signValue, verifySignedValue } from '../lib/crypto'
import { limits } from '../limits'
import { completedMissionsSql, parseCompletedMissions } from '../missions/missions'
import { awardStatement } from '../points/points'
import { createBatchHandler } from '../queue-handler'
import { consumeQuotas, QUOTAS, quotaUse, releaseQuotas } from '../quotas/quotas'
import { site } from '../site/site.table'
import { isPublicTrack, trackNotFoundError } from './tracks'
import { streamReports, tracks } from './tracks.table'

/**
 * One playback of one track, in a signed cookie (an embed has a token), so that fetching audio writes nothing to D1.
 * The first fetch of the track's beginning starts it; later fetches (seeking, buffering) do not change its start.
 */
export type Listen = {
  trackId: number
  startedAt: Millis
  /** `u<user id>` of a supporter; `v<hash of the device>` of a visitor, `n<hash>` if the device had no cookie yet. */
  listener: string
  /** The listen was reported, so the next fetch of the track's beginning starts another listen. */
  isSpent: boolean
}

/** Queue message: a stream to count. */
const StreamMessage = z.object({
  kind: z.literal('stream'),
  listener: z.string(),
  trackId: z.int(),
  startedAt: z.int(),
  countedAt: z.int(),
})
export type StreamJob = z.infer<typeof StreamMessage>

const SIGNATURE_PURPOSE = 'listen'
const LISTEN_PATTERN = /^(\d{1,15})\.(\d{1,15})\.(u\d+|[vn][\w-]{8,64})\.(open|spent)$/

/** The signed value of a listen, for a cookie or an embed's token. */
export function signListen(secret: string, { trackId, startedAt, listener, isSpent }: Listen): Promise<string> {
  return signValue(secret, SIGNATURE_PURPOSE, `${trackId}.${startedAt}.${listener}.${isSpent ? 'spent' : 'open'}`)
}

/** The listen of a signed value; null if it is missing, forged, malformed or too old to be reported. */
export async function verifyListen(secret: string, signed: string | undefined, at: Millis): Promise<Listen | null> {
  const value = signed === undefined ? null : await verifySignedValue(secret, SIGNATURE_PURPOSE, signed)
  const [, trackId, startedAt, listener, state] = (value && LISTEN_PATTERN.exec(value)) || []
  if (!trackId || !startedAt || !listener) return null
  const listen = { trackId: Number(trackId), startedAt: Number(startedAt), listener, isSpent: state === 'spent' }
  const age = at - listen.startedAt
  return age >= 0 && age < limits.audioCookieTtlSeconds * SECOND_MS ? listen : null
}

/** A listen in an embed, which has no cookies and so no device: it counts towards `QUOTAS.playsWithoutDevice`. */
export const newEmbedListen = (trackId: number, startedAt: Millis): Listen => ({
  trackId,
  startedAt,
  listener: `n${randomSecret()}`,
  isSpent: false,
})

const isVisitor = (listener: string) => !listener.startsWith('u')

type NextListen = { trackId: number; listener: string; current: Listen | null; at: Millis }

/** The listen that begins when the track's beginning is fetched; null if the `current` listen continues. */
export function nextListen({ trackId, listener, current, at }: NextListen): Listen | null {
  if (current && !current.isSpent && isSameListener(current.listener, listener)) return null
  return { trackId, startedAt: at, listener, isSpent: false }
}

/** False after a log-in or log-out. */
const isSameListener = (previous: string, listener: string) =>
  previous === listener || (isVisitor(previous) && isVisitor(listener))

/** True once an unspent listen is 30 seconds old, or as old as half of a shorter track. */
function countsAsStream(listen: Listen, durationSeconds: number, at: Millis): boolean {
  return !listen.isSpent && at - listen.startedAt >= minStreamSeconds(durationSeconds) * SECOND_MS
}

/** Sends a stream to the queue. @throws AppError `unavailable`. */
export const enqueueStream =
  (queue: Queue) =>
  (job: StreamJob): Promise<unknown> =>
    queue.send(job).catch((cause) => {
      throw new AppError('unavailable', 'That play could not be counted just now.', { cause })
    })

/** ?1 user, ?2 ledger key, ?3 timestamp of the award. */
const AWARD_RESULT = `SELECT points AS total, ${completedMissionsSql('?2', '?3')} AS missions FROM users WHERE id = ?1`

/** `network` is `clientNetwork48` of the client. */
type StreamReport = { trackId: number; userId: number | null; listen: Listen | null; network: string; at: Millis }

/**
 * Checks a report of a stream, enqueues it within the network's quota, then awards a supporter the day's points.
 * The points come last, so that a retry after a failed enqueue earns them. A stream that is enqueued twice counts once.
 * @returns `isSpent`: the listen was long enough and is now reported; `earned`: the supporter's points.
 * @throws AppError `not_found` for an unknown track; errors of `enqueue`.
 */
export async function reportStream(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { trackId, userId, listen, network, at }: StreamReport,
  enqueue: (job: StreamJob) => Promise<unknown>,
): Promise<{ isSpent: boolean; earned: StreamResult }> {
  const [[track], [artist]] = await db.batch([
    db
      .select({ title: tracks.title, seconds: tracks.durationSeconds })
      .from(tracks)
      .where(and(eq(tracks.id, trackId), isPublicTrack(at))),
    db.select({ timeZone: site.timeZone }).from(site).limit(1),
  ])
  if (!track) throw trackNotFoundError()
  if (!listen || listen.trackId !== trackId || !countsAsStream(listen, track.seconds, at))
    return { isSpent: false, earned: { pointsAwarded: 0 } }
  const { listener, startedAt } = listen
  // The quota without a device cookie is smaller, because a script could drop its cookies before each play.
  const quota = listener.startsWith('n') ? QUOTAS.playsWithoutDevice : QUOTAS.playsWithDevice
  const uses = [await quotaUse(secret, quota, String(trackId), network)]
  if (await consumeQuotas({ db }, uses, at))
    // Stored as `v…`: the device has its cookie now, so its next listens are `v` with the same hash.
    await enqueue({ kind: 'stream', listener: listener.replace(/^n/, 'v'), trackId, startedAt, countedAt: at }).catch(
      async (error: unknown) => {
        await releaseQuotas({ db }, uses)
        throw error
      },
    )
  const isSpent = true
  // Only the account that listened gets points, not one that logged in to the same browser afterwards.
  if (userId === null || listener !== `u${userId}`) return { isSpent, earned: { pointsAwarded: 0 } }
  const day = utcToZonedTime(at, artist?.timeZone ?? 'UTC').date.replaceAll('-', '')
  const subject = `${trackId}:${day}`
  const description = `Listened to “${track.title}”`
  const d1 = db.$client
  const award = awardStatement(db, { userId, action: 'track_stream', subject, description, at }).toSQL()
  const [awarded, result] = await d1.batch([
    d1.prepare(award.sql).bind(...award.params),
    d1.prepare(AWARD_RESULT).bind(userId, `track_stream:${subject}`, at),
  ])
  const [entry] = (awarded?.results ?? []) as { points: number }[]
  const [user] = (result?.results ?? []) as { total: number; missions: string }[]
  if (!(entry && user)) return { isSpent, earned: { pointsAwarded: 0 } }
  return {
    isSpent,
    earned: { pointsAwarded: entry.points, totalPoints: user.total, missions: parseCompletedMissions(user.missions) },
  }
}

/** Counts the streams of a batch. */
export const streamHandler = createBatchHandler({
  schema: StreamMessage,
  retrySeconds: 30,
  async run(jobs, { DB }) {
    await countStreams(openDb(DB), jobs)
    return new Map()
  },
})

/**
 * Counts streams on their days in the artist's time zone; a trigger adds each to its day and track. A stream is ignored
 * if it is a duplicate, if its track was removed, or if it overlaps another of the track by the same listener.
 */
export async function countStreams(db: Db, jobs: readonly StreamJob[]): Promise<void> {
  if (jobs.length === 0) return
  const zone = await artistTimeZone(db)
  const [first, ...rest] = jobs.map(({ listener, trackId, startedAt, countedAt }) =>
    db
      .insert(streamReports)
      .select(sql`
        SELECT ${listener}, track.id, ${startedAt}, ${countedAt}, ${utcToZonedTime(countedAt, zone).date} FROM tracks track
        WHERE track.id = ${trackId} AND track.removed_at IS NULL AND NOT EXISTS (
          SELECT 1 FROM stream_reports report WHERE report.listener = ${listener} AND report.track_id = track.id
          AND report.started_at > ${startedAt} - track.duration_seconds * 1000
          AND report.started_at < ${startedAt} + track.duration_seconds * 1000)`)
      .onConflictDoNothing(),
  )
  if (first) await db.batch([first, ...rest])
}

const DELETE_BATCH_SIZE = 2_000

/** Deletes a batch of reports that can no longer be replayed, because their listens have expired. */
export async function deleteOldStreamReports(db: Db, at: Millis): Promise<BatchResult> {
  const old = db
    .select({ rowid: sql`rowid` })
    .from(streamReports)
    .where(lt(streamReports.countedAt, at - limits.streamReportTtlSeconds * SECOND_MS))
    .limit(DELETE_BATCH_SIZE)
  const { meta } = await db.delete(streamReports).where(sql`rowid IN ${old}`)
  return { affected: meta.changes, more: meta.changes >= DELETE_BATCH_SIZE }
}
