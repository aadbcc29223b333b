import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { POINTS } from '../contract/points'
import type { Env } from '../env'
import { HOUR_MS, SECOND_MS } from '../lib/clock'
import { limits } from '../limits'
import { ledger } from '../points/points.table'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, newBrowser, send, statusAndCodeOf, waitForRateWindow } from '../testing/client'
import { addTrack, addUser, db } from '../testing/fixtures'
import { seedSite } from '../testing/seed'
import { sessionFor, uniqueIp } from '../testing/users'
import { countStreams, nextListen, reportStream, type StreamJob, signListen } from './streams'
import { streamReports, trackDays, tracks } from './tracks.table'

const START = Date.parse('2026-03-01T12:00:00Z')
const AUDIO = 'audio/song.mp3'
const DEPS = { db, secret: env.SIGNING_SECRET }
/** Ids of tracks of 180 and 20 seconds. */
const LONG_TRACK = 1
const SHORT_TRACK = 2
let sentJobs: StreamJob[] = []
const JOBS = { send: async (job: StreamJob) => void sentJobs.push(job) } as unknown as Env['JOBS']

beforeAll(async () => {
  await seedSite(env.DB)
  await addTrack({ id: LONG_TRACK, durationSeconds: 180, audioKey: AUDIO })
  await addTrack({ id: SHORT_TRACK, durationSeconds: 20, audioKey: AUDIO })
  await env.FILES.put(AUDIO, new Uint8Array(5000))
})

beforeEach(async () => {
  sentJobs = []
  await db.delete(streamReports)
  await db.delete(trackDays)
})

function newListener(address = uniqueIp()) {
  const browser = newBrowser({ address, env: { JOBS } })
  return {
    cookies: browser.cookies,
    fetch: (at: number, { id = LONG_TRACK, range = 'bytes=0-' } = {}) =>
      browser.send('GET', `/api/tracks/${id}/audio`, undefined, { at, headers: { range } }),
    report: (at: number, { id = LONG_TRACK as number | string, ...fields } = {}) =>
      browser.send('POST', '/api/tracks/stream', { trackId: id, platform: 'site', ...fields }, { at }),
  }
}

/** Counts the streams of `jobs`; returns the plays of the track. */
async function playsAfter(jobs: readonly StreamJob[] = sentJobs, id = LONG_TRACK) {
  await countStreams(db, jobs)
  const [track] = await db.select().from(tracks).where(eq(tracks.id, id))
  return track?.plays
}

test('counts a track after 30 seconds', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const response = await listener.report(START + 30 * SECOND_MS)
  expect([response.status, await response.json()]).toEqual([202, { pointsAwarded: 0 }])
  expect(await playsAfter()).toBe(1)
  expect(await db.select().from(trackDays)).toEqual([{ trackId: LONG_TRACK, day: '2026-03-01', plays: 1 }])
})

test('counts a play on the artist’s day', async () => {
  const listener = newListener()
  // Still March 1 in New York.
  const at = Date.parse('2026-03-02T04:59:00Z')
  await listener.fetch(at - 30 * SECOND_MS)
  await listener.report(at)
  await playsAfter()
  expect(await db.select().from(trackDays)).toEqual([{ trackId: LONG_TRACK, day: '2026-03-01', plays: 1 }])
})

test('counts nothing before 30 seconds', async () => {
  const listener = newListener()
  await listener.fetch(START)
  expect((await listener.report(START + 30 * SECOND_MS - 1)).status).toBe(202)
  expect(sentJobs).toEqual([])
  await listener.report(START + 30 * SECOND_MS)
  expect(await playsAfter()).toBe(1)
})

test('counts a short track after half of it', async () => {
  const listener = newListener()
  await listener.fetch(START, { id: SHORT_TRACK })
  await listener.report(START + 10 * SECOND_MS - 1, { id: SHORT_TRACK })
  expect(sentJobs).toEqual([])
  await listener.report(START + 10 * SECOND_MS, { id: SHORT_TRACK })
  expect(await playsAfter(sentJobs, SHORT_TRACK)).toBe(1)
})

test('ignores seeking', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const first = listener.cookies.get('listen_1')
  await listener.fetch(START + 10 * SECOND_MS, { range: 'bytes=3000-' })
  await listener.fetch(START + 20 * SECOND_MS, { range: 'bytes=0-99' })
  await listener.fetch(START + 25 * SECOND_MS)
  expect(listener.cookies.get('listen_1')).toBe(first)
  await listener.report(START + 30 * SECOND_MS)
  expect(sentJobs).toMatchObject([{ startedAt: START }])
})

test('starts no listen with a later range', async () => {
  const listener = newListener()
  await listener.fetch(START, { range: 'bytes=1000-' })
  await listener.report(START + HOUR_MS)
  expect([listener.cookies.has('listen_1'), sentJobs]).toEqual([false, []])
})

test('starts a listen on revalidation', async () => {
  const listener = newListener()
  const { headers } = await listener.fetch(START)
  listener.cookies.clear()
  const response = await send('GET', '/api/tracks/1/audio', undefined, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect([response.status, response.headers.get('set-cookie')]).toEqual([304, expect.stringContaining('listen_1=')])
})

test('counts a listen once', async () => {
  const listener = newListener()
  await listener.fetch(START)
  await listener.report(START + 30 * SECOND_MS)
  await listener.fetch(START + 60 * SECOND_MS, { range: 'bytes=3000-' })
  await listener.report(START + 170 * SECOND_MS)
  expect(sentJobs.length).toBe(1)
})

test('starts a new listen on replay', async () => {
  const listener = newListener()
  await listener.fetch(START)
  await listener.report(START + 30 * SECOND_MS)
  const again = START + 180 * SECOND_MS
  await listener.fetch(again)
  await listener.report(again + 29 * SECOND_MS)
  expect(sentJobs.length).toBe(1)
  await listener.report(again + 30 * SECOND_MS)
  expect(sentJobs.map((job) => job.startedAt)).toEqual([START, again])
  expect(new Set(sentJobs.map((job) => job.listener)).size).toBe(1)
  expect(await playsAfter()).toBe(2)
})

test('counts one play within the track’s length', async () => {
  const listener = newListener()
  for (const start of [START, START + 40 * SECOND_MS, START + 179 * SECOND_MS, START + 180 * SECOND_MS]) {
    await listener.fetch(start)
    await listener.report(start + 30 * SECOND_MS)
  }
  expect(sentJobs.length).toBe(4)
  expect(await playsAfter(sentJobs)).toBe(2)
  await db.delete(streamReports)
  expect(await playsAfter([...sentJobs].reverse())).toBe(2 + 2)
})

test('counts a replayed cookie once', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const listenCookie = listener.cookies.get('listen_1') ?? ''
  for (const after of [30, 31, 3600]) {
    listener.cookies.set('listen_1', listenCookie)
    await listener.report(START + after * SECOND_MS)
  }
  expect(sentJobs.length).toBe(3)
  expect(await playsAfter()).toBe(1)
  expect(await playsAfter()).toBe(1)
})

test('ignores forged, foreign and expired cookies', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const ownCookie = listener.cookies.get('listen_1') ?? ''
  await listener.fetch(START, { id: SHORT_TRACK })
  const otherTracksCookie = listener.cookies.get('listen_2') ?? ''
  const cookies = [
    '',
    'open',
    ownCookie.replace(/^1\./, '2.'),
    ownCookie.replace(String(START), String(START - HOUR_MS)),
    ownCookie.replace('.open.', '.open.A'),
    ownCookie.slice(0, -1),
    otherTracksCookie,
    `1.${START}.v12345678.open.${'A'.repeat(43)}`,
    '%00',
    '!.*',
  ]
  for (const cookie of cookies) {
    listener.cookies.set('listen_1', cookie)
    expect((await listener.report(START + HOUR_MS)).status).toBe(202)
  }
  listener.cookies.set('listen_1', ownCookie)
  await listener.report(START + 6 * HOUR_MS)
  expect(sentJobs).toEqual([])
})

test('identifies a visitor across tracks', async () => {
  const listener = newListener()
  for (const id of [LONG_TRACK, SHORT_TRACK]) await listener.fetch(START, { id })
  const listeners = ['listen_1', 'listen_2'].map((name) => listener.cookies.get(name)?.split('.')[2])
  expect(listeners).toEqual([expect.stringMatching(/^n/), expect.stringMatching(/^v/)])
  expect(listeners[1]?.slice(1)).toBe(listeners[0]?.slice(1))
})

test('starts a new listen after log-in', () => {
  // Prefixes: `u` a supporter, `v` a visitor with a device cookie, `n` one without.
  const asVisitor = { trackId: 1, startedAt: START, listener: 'n12345678', isSpent: false }
  const base = { trackId: 1, current: asVisitor, at: START + SECOND_MS }
  expect(nextListen({ ...base, listener: 'u7' })).toEqual({
    ...asVisitor,
    listener: 'u7',
    startedAt: START + SECOND_MS,
  })
  expect(nextListen({ ...base, listener: 'v12345678' })).toBe(null)
  expect(nextListen({ ...base, current: { ...asVisitor, listener: 'u7' }, listener: 'v12345678' })).not.toBe(null)
})

/** Lets one visitor of each address listen once; returns the track's plays. */
async function playsOfNetwork(
  addresses: readonly string[],
  prepare?: (visitor: ReturnType<typeof newListener>) => unknown,
) {
  for (const address of addresses) {
    const visitor = newListener(address)
    await prepare?.(visitor)
    await visitor.fetch(START)
    expect((await visitor.report(START + 30 * SECOND_MS)).status).toBe(202)
  }
  return playsAfter()
}

test.each([
  ['one address', () => '192.0.2.9'],
  ['an IPv4 /24', (n: number) => `203.0.114.${n}`],
  ['an IPv6 /48', (n: number) => `2001:db8:5:${n}::1`],
])('counts five of 28 plays without cookies from %s', async (_, addressOf) => {
  expect(await playsOfNetwork(Array.from({ length: 28 }, (_, n) => addressOf(n)))).toBe(5)
  // Another network has its own quota.
  sentJobs = []
  expect(await playsOfNetwork([uniqueIp()])).toBe(6)
})

test('counts two hundred plays of a network’s devices', async () => {
  const addresses = Array.from({ length: 7 }, (_, n) => `203.0.115.${n}`)
  const withDevice = (visitor: ReturnType<typeof newListener>) => visitor.fetch(START, { id: SHORT_TRACK })
  expect(await playsOfNetwork(addresses, withDevice)).toBe(7)
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'play-device:*' AND count = 7")
    .bind(QUOTAS.playsWithDevice.max - 1)
    .run()
  sentJobs = []
  expect(await playsOfNetwork(['203.0.115.8', '203.0.115.9'], withDevice)).toBe(8)
})

test('ignores client time, browser and tier', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const claims = { timestamp: '1999-01-01T00:00:00Z', userAgent: 'x', userTier: 'gold' }
  expect((await listener.report(START + 31 * SECOND_MS, { id: '1', ...claims })).status).toBe(202)
  expect(sentJobs).toMatchObject([{ trackId: 1, countedAt: START + 31 * SECOND_MS }])
})

test('rejects malformed reports', async () => {
  const report = async (json: unknown) => await statusAndCodeOf(await send('POST', '/api/tracks/stream', json))
  const body = { trackId: 1, platform: 'site' }
  for (const trackId of [99, '99', '000000000']) expect(await report({ ...body, trackId })).toEqual([404, 'not_found'])
  for (const trackId of [-1, 0, 1.5, 2 ** 53, 'abc', '-1', null, [1], { $ne: null }])
    expect(await report({ ...body, trackId })).toEqual([400, 'bad_input'])
  expect(await report({ trackId: 1 })).toEqual([400, 'bad_input'])
  expect(await report({ ...body, points: 9999 })).toEqual([400, 'bad_input'])
  expect(await report(undefined)).toEqual([400, 'bad_input'])
})

test('allows a retry after a queue failure', async () => {
  const listener = newListener()
  await listener.fetch(START)
  const cookie = `listen_1=${listener.cookies.get('listen_1')}`
  const failingQueue = { send: () => Promise.reject(new Error('down')) } as unknown as Env['JOBS']
  const json = { trackId: 1, platform: 'site' }
  const at = START + 40 * SECOND_MS
  const response = await send('POST', '/api/tracks/stream', json, {
    at,
    headers: { cookie },
    env: { JOBS: failingQueue },
  })
  expect([response.headers.get('set-cookie'), (await errorOf(response))[1]]).toEqual([null, 'unavailable'])
  await listener.report(at)
  expect(sentJobs.length).toBe(1)
})

test('awards points for a track once a day', async () => {
  const { id: userId } = await addUser()
  const listen = { trackId: LONG_TRACK, startedAt: START, listener: `u${userId}`, isSpent: false }
  const report = (at: number, changes = {}) =>
    reportStream(DEPS, { network: 'x', trackId: LONG_TRACK, userId, listen: { ...listen, ...changes }, at }, JOBS.send)
  // Still March 1 in New York, for one more minute.
  const evening = Date.parse('2026-03-02T04:59:00Z')
  const earned = [
    (await report(START + 30 * SECOND_MS)).earned,
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
    [`track_stream:${LONG_TRACK}:20260301`, 5],
    [`track_stream:${LONG_TRACK}:20260302`, 5],
  ])
})

test('awards points only to the account that listened', async () => {
  const [supporter, other] = [await addUser(), await addUser()]
  const listen = { trackId: LONG_TRACK, startedAt: START, listener: `u${supporter.id}`, isSpent: false }
  const at = START + 30 * SECOND_MS
  expect(
    (await reportStream(DEPS, { network: 'x', trackId: LONG_TRACK, userId: other.id, listen, at }, JOBS.send)).earned
      .pointsAwarded,
  ).toBe(0)
  expect(
    (await reportStream(DEPS, { network: 'x', trackId: LONG_TRACK, userId: null, listen, at }, JOBS.send)).earned
      .pointsAwarded,
  ).toBe(0)
  expect(
    (await reportStream(DEPS, { network: 'x', trackId: LONG_TRACK, userId: supporter.id, listen, at }, JOBS.send))
      .earned.pointsAwarded,
  ).toBe(5)
})

test('awards points once after a queue failure', async () => {
  const supporter = await addUser()
  const { headers } = await sessionFor(supporter, START)
  const listen = { trackId: LONG_TRACK, startedAt: START, listener: `u${supporter.id}`, isSpent: false }
  const cookie = `${headers.cookie}; listen_${LONG_TRACK}=${await signListen(env.SIGNING_SECRET, listen)}`
  const failingQueue = { send: () => Promise.reject(new Error('down')) } as unknown as Env['JOBS']
  const report = (queue: Env['JOBS']) =>
    send(
      'POST',
      '/api/tracks/stream',
      { trackId: LONG_TRACK, platform: 'site' },
      {
        at: START + 40 * SECOND_MS,
        headers: { cookie },
        env: { JOBS: queue },
      },
    )
  const awardedPoints = async () =>
    (await db.select().from(ledger).where(eq(ledger.userId, supporter.id))).map(({ points }) => points)
  expect([(await errorOf(await report(failingQueue)))[1], await awardedPoints()]).toEqual(['unavailable', []])
  expect(await (await report(JOBS)).json()).toEqual({
    pointsAwarded: POINTS.track_stream,
    totalPoints: 5,
    missions: [],
  })
  expect(await (await report(JOBS)).json()).toEqual({ pointsAwarded: 0 })
  expect([await awardedPoints(), await playsAfter()]).toEqual([[5], 1])
  expect((await db.select().from(streamReports)).length).toBe(1)
})

test('neither rewards nor counts removed tracks', async () => {
  const supporter = await addUser()
  await addTrack({ id: 9, durationSeconds: 180, audioKey: AUDIO })
  const listen = { trackId: 9, startedAt: START, listener: `u${supporter.id}`, isSpent: false }
  const report = () =>
    reportStream(
      DEPS,
      { network: 'x', trackId: 9, userId: supporter.id, listen, at: START + 40 * SECOND_MS },
      JOBS.send,
    )
  await db.update(tracks).set({ removedAt: START }).where(eq(tracks.id, 9))
  await expect(report()).rejects.toMatchObject({ code: 'not_found' })
  expect(sentJobs).toEqual([])
  expect(await db.select().from(ledger).where(eq(ledger.userId, supporter.id))).toEqual([])
  const job = {
    kind: 'stream',
    listener: 'v12345678',
    trackId: 9,
    startedAt: START,
    countedAt: START + 40 * SECOND_MS,
  } as const
  expect(await playsAfter([job], 9)).toBe(0)
})

test('limits the report rate and daily points', async () => {
  const supporter = await addUser()
  const { headers } = await sessionFor(supporter, START)
  const body = { trackId: LONG_TRACK, platform: 'site' }
  const statuses: number[] = []
  const started = START - HOUR_MS
  const cookies = await Promise.all(
    Array.from({ length: limits.writesPerMinute + 5 }, (_, n) =>
      signListen(env.SIGNING_SECRET, {
        trackId: LONG_TRACK,
        startedAt: started + n,
        listener: `u${supporter.id}`,
        isSpent: false,
      }),
    ),
  )
  await waitForRateWindow()
  for (const cookie of cookies) {
    const headersWithListen = {
      cookie: `${headers.cookie}; listen_${LONG_TRACK}=${cookie}`,
      'cf-connecting-ip': crypto.randomUUID(),
    }
    statuses.push(
      (await send('POST', '/api/tracks/stream', body, { at: START, headers: headersWithListen, env: { JOBS } })).status,
    )
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(limits.writesPerMinute)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  const rows = await db.select().from(ledger).where(eq(ledger.userId, supporter.id))
  expect(rows.map(({ key }) => key)).toEqual([`track_stream:${LONG_TRACK}:20260301`])
})
