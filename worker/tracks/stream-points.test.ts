import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { POINTS } from '../contract/points'
import type { Env } from '../env'
import { HOUR_MS, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { ledger } from '../points/points.table'
import { errorOf, send } from '../testing/client'
import { addTrack, addUser, db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { sessionFor } from '../testing/users'
import { countStreams, reportStream, type StreamJob, signListen } from './streams'
import { streamReports, tracks } from './tracks.table'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const AUDIO = 'audio/song.mp3'
const LONG = 1
let sent: StreamJob[] = []
const JOBS = { send: async (job: StreamJob) => void sent.push(job) } as unknown as Env['JOBS']

beforeAll(async () => {
  await seedSite(env.DB)
  await addTrack({ id: LONG, durationSeconds: 180, audioKey: AUDIO })
})

beforeEach(async () => {
  sent = []
  await db.delete(streamReports)
})

async function playsAfter(jobs: readonly StreamJob[] = sent, id = LONG) {
  await countStreams(db, jobs)
  const [track] = await db.select().from(tracks).where(eq(tracks.id, id))
  return track?.plays
}

test('pays a track once a day', async () => {
  const { id: userId } = await addUser()
  const listen = { trackId: LONG, startedAt: NOON, listener: `u${userId}`, spent: false }
  const report = (at: number, more = {}) =>
    reportStream(db, { trackId: LONG, userId, listen: { ...listen, ...more }, at }, JOBS.send)
  const evening = Date.parse('2026-03-02T04:59:00Z')
  const earned = [
    (await report(NOON + 30 * SECOND_MS)).earned,
    (await report(evening, { startedAt: evening - HOUR_MS })).earned,
    (await report(evening + 60 * SECOND_MS, { startedAt: evening - HOUR_MS })).earned,
  ]
  const pointsAwarded = POINTS.track_stream
  expect(earned).toEqual([
    { pointsAwarded, totalPoints: 5, missions: [] },
    { pointsAwarded: 0 },
    { pointsAwarded, totalPoints: 10, missions: [] },
  ])
  const rows = await db.select().from(ledger).where(eq(ledger.userId, userId))
  expect(rows.map(({ key, points }) => [key, points])).toEqual([
    [`track_stream:${LONG}:20260301`, 5],
    [`track_stream:${LONG}:20260302`, 5],
  ])
})

test('pays only the account that listened', async () => {
  const [fan, other] = [await addUser(), await addUser()]
  const listen = { trackId: LONG, startedAt: NOON, listener: `u${fan.id}`, spent: false }
  const at = NOON + 30 * SECOND_MS
  expect(
    (await reportStream(db, { trackId: LONG, userId: other.id, listen, at }, JOBS.send)).earned.pointsAwarded,
  ).toBe(0)
  expect((await reportStream(db, { trackId: LONG, userId: null, listen, at }, JOBS.send)).earned.pointsAwarded).toBe(0)
  expect((await reportStream(db, { trackId: LONG, userId: fan.id, listen, at }, JOBS.send)).earned.pointsAwarded).toBe(
    5,
  )
})

test('pays after a queue failure once', async () => {
  const fan = await addUser()
  const { headers } = await sessionFor(fan, NOON)
  const listen = { trackId: LONG, startedAt: NOON, listener: `u${fan.id}`, spent: false }
  const cookie = `${headers.cookie}; listen_${LONG}=${await signListen(env.SIGNING_SECRET, listen)}`
  const down = { send: () => Promise.reject(new Error('down')) } as unknown as Env['JOBS']
  const report = (queue: Env['JOBS']) =>
    send(
      'POST',
      '/api/tracks/stream',
      { trackId: LONG, platform: 'site' },
      {
        at: NOON + 40 * SECOND_MS,
        headers: { cookie },
        env: { JOBS: queue },
      },
    )
  const paid = async () => (await db.select().from(ledger).where(eq(ledger.userId, fan.id))).map(({ points }) => points)
  expect([(await errorOf(await report(down)))[1], await paid()]).toEqual(['unavailable', []])
  expect(await (await report(JOBS)).json()).toEqual({
    pointsAwarded: POINTS.track_stream,
    totalPoints: 5,
    missions: [],
  })
  expect(await (await report(JOBS)).json()).toEqual({ pointsAwarded: 0 })
  expect([await paid(), await playsAfter()]).toEqual([[5], 1])
  expect((await db.select().from(streamReports)).length).toBe(1)
})

test('neither pays nor counts removed tracks', async () => {
  const fan = await addUser()
  await addTrack({ id: 9, durationSeconds: 180, audioKey: AUDIO })
  const listen = { trackId: 9, startedAt: NOON, listener: `u${fan.id}`, spent: false }
  const report = () => reportStream(db, { trackId: 9, userId: fan.id, listen, at: NOON + 40 * SECOND_MS }, JOBS.send)
  await db.update(tracks).set({ removedAt: NOON }).where(eq(tracks.id, 9))
  await expect(report()).rejects.toMatchObject({ code: 'not_found' })
  expect(sent).toEqual([])
  expect(await db.select().from(ledger).where(eq(ledger.userId, fan.id))).toEqual([])
  const job = {
    kind: 'stream',
    listener: 'v12345678',
    trackId: 9,
    startedAt: NOON,
    countedAt: NOON + 40 * SECOND_MS,
  } as const
  expect(await playsAfter([job], 9)).toBe(0)
})

test('limits the report rate and daily pay', async () => {
  const fan = await addUser()
  const { headers } = await sessionFor(fan, NOON)
  const body = { trackId: LONG, platform: 'site' }
  const statuses: number[] = []
  const started = NOON - HOUR_MS
  const cookies = await Promise.all(
    Array.from({ length: limits.writesPerMinute + 5 }, (_, n) =>
      signListen(env.SIGNING_SECRET, {
        trackId: LONG,
        startedAt: started + n,
        listener: `u${fan.id}`,
        spent: false,
      }),
    ),
  )
  for (const cookie of cookies) {
    const more = { cookie: `${headers.cookie}; listen_${LONG}=${cookie}`, 'cf-connecting-ip': crypto.randomUUID() }
    statuses.push((await send('POST', '/api/tracks/stream', body, { at: NOON, headers: more, env: { JOBS } })).status)
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(limits.writesPerMinute)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  const rows = await db.select().from(ledger).where(eq(ledger.userId, fan.id))
  expect(rows.map(({ key }) => key)).toEqual([`track_stream:${LONG}:20260301`])
})
