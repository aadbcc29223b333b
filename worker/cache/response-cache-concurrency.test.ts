import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { openDb } from '../db/client'
import { readConfig } from '../env'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { newIsolate, ORIGIN } from '../testing/client'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { runSql, spyOnD1 } from '../testing/stores'
import { createResponseCache, type LoadContext, type LoadResponse } from './response-cache'

const context: LoadContext = { db: openDb(env.DB), config: readConfig(env), origin: ORIGIN, at: NOON }
beforeAll(loadFixtures)

/** Sends concurrent requests to one isolate and counts database round trips. */
function requestCounter() {
  const { request, trips } = newIsolate()
  return async (path: string, at: Millis, count: number) => {
    const before = trips()
    const responses = await Promise.all(Array.from({ length: count }, () => request(path, {}, at)))
    const texts = await Promise.all(responses.map((response) => response.text()))
    return { trips: trips() - before, texts: new Set(texts) }
  }
}

test('shares one load between concurrent callers', async () => {
  for (const path of ['/api/tracks', '/']) {
    const [one, shared] = [requestCounter(), requestCounter()]
    for (const at of [NOON, NOON + HOUR_MS]) {
      const single = await one(path, at, 1)
      const concurrent = await shared(path, at, 32)
      expect([path, concurrent.texts, concurrent.trips]).toEqual([path, single.texts, single.trips])
    }
  }
})

test('times out hanging loads and shares failures', async () => {
  const cache = createResponseCache(1500)
  let loadCount = 0
  const read = (load: LoadResponse) => cache.get('/one', context, load, () => {})
  const succeed: LoadResponse = async () => ({ body: `${++loadCount}`, headers: {}, hasCounters: false })
  void read(() => new Promise(() => {}))
  const bodies = await Promise.all([read(succeed), read(succeed), read(succeed)])
  expect(bodies.map(({ body }) => body)).toEqual(['1', '1', '1'])
  cache.invalidate()
  await runSql("UPDATE site SET tagline = 'Broken'")
  const fail: LoadResponse = async () => {
    loadCount += 1
    throw new Error('No.')
  }
  const outcomes = await Promise.allSettled([read(fail), read(fail), read(fail)])
  expect([outcomes.map(({ status }) => status), loadCount]).toEqual([['rejected', 'rejected', 'rejected'], 2])
  expect((await read(succeed)).body).toBe('3')
})

test('waits at most one timeout for hanging loads', async () => {
  const cache = createResponseCache(1000)
  let loadCount = 0
  const never: LoadResponse = () => {
    loadCount += 1
    return new Promise(() => {})
  }
  for (let i = 0; i < 8; i++) void cache.get('/one', context, never, () => {})
  await vi.waitFor(() => expect(loadCount).toBe(8), 3000)
})

test('revalidates for callers with a bookmark, sharing one load', async () => {
  const cache = createResponseCache()
  const { DB, trips } = spyOnD1(env.DB)
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let loadCount = 0
  const slowLoad: LoadResponse = async () => {
    started.resolve()
    await finish.promise
    return { body: `slow ${++loadCount}`, headers: {}, hasCounters: false }
  }
  const fast: LoadResponse = async ({ at }) => ({ body: `at ${at}`, headers: {}, hasCounters: false })
  // The fixture's poll ends a day after noon.
  const read = (load: LoadResponse, at: Millis) =>
    cache.get('/one', { ...context, db: openDb(DB), at }, load, () => {}, true)
  const shared = Array.from({ length: 8 }, () => read(slowLoad, NOON + DAY_MS - 1))
  await started.promise
  await vi.waitFor(() => expect(trips()).toBe(8))
  const afterPollEnd = read(fast, NOON + DAY_MS)
  await vi.waitFor(() => expect(trips()).toBe(9))
  await runSql("UPDATE site SET tagline = 'Meanwhile'")
  const changed = await read(fast, NOON + DAY_MS - 1)
  finish.resolve()
  const bodies = (await Promise.all(shared)).map(({ body }) => body)
  expect(bodies).toEqual(Array(8).fill('slow 1'))
  expect([(await afterPollEnd).body, changed.body]).toEqual([`at ${NOON + DAY_MS}`, `at ${NOON + DAY_MS - 1}`])
})

test('does not share a load across a scheduled change', async () => {
  const cache = createResponseCache()
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slowLoad: LoadResponse = async ({ at }) => {
    started.resolve()
    await finish.promise
    return { body: `at ${at}`, headers: {}, hasCounters: false }
  }
  const fast: LoadResponse = async ({ at }) => ({ body: `at ${at}`, headers: {}, hasCounters: false })
  const readAt = (at: Millis, load: LoadResponse) => cache.get('/one', { ...context, at }, load, () => {})
  // The fixture's poll ends a day after noon.
  const changesAt = NOON + DAY_MS
  const before = readAt(changesAt - 1, slowLoad)
  await started.promise
  const after = readAt(changesAt, fast)
  finish.resolve()
  expect([(await before).body, (await after).body]).toEqual([`at ${changesAt - 1}`, `at ${changesAt}`])
  expect((await readAt(changesAt, fast)).body).toBe(`at ${changesAt}`)
})

test('clears the cache at its maximum size', async () => {
  const cache = createResponseCache(undefined, 2)
  const load: LoadResponse = async () => ({ body: crypto.randomUUID(), headers: {}, hasCounters: false })
  const read = async (name: string) => (await cache.get(name, context, load, () => {})).body
  const [one, two] = [await read('/one'), await read('/two')]
  expect([await read('/one'), await read('/two')]).toEqual([one, two])
  const three = await read('/three')
  expect([await read('/three'), (await read('/one')) === one]).toEqual([three, false])
})

test('does not share loads that began before an invalidation', async () => {
  const cache = createResponseCache()
  const tagline = () => env.DB.prepare('SELECT tagline FROM site').first<string>('tagline')
  const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slowLoad: LoadResponse = async () => {
    const body = String(await tagline())
    started.resolve()
    await finish.promise
    return { body, headers: {}, hasCounters: false }
  }
  const fast: LoadResponse = async () => ({ body: String(await tagline()), headers: {}, hasCounters: false })
  const before = cache.get('/one', context, slowLoad, () => {})
  await started.promise
  await runSql("UPDATE site SET tagline = 'After it'")
  cache.invalidate()
  const after = cache.get('/one', context, fast, () => {})
  finish.resolve()
  expect([(await after).body, (await before).body === 'After it']).toEqual(['After it', false])
  expect((await cache.get('/one', context, fast, () => {})).body).toBe('After it')
})
