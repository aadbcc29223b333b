import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { openDb } from '../db/client'
import { readConfig } from '../env'
import { DAY_MS, HOUR_MS, type Millis } from '../lib/clock'
import { newIsolate, ORIGIN } from '../testing/client'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { createResponseCache, type LoadContext, type LoadResponse } from './response-cache'

const run = (sql: string) => env.DB.prepare(sql).run()
const source: LoadContext = { db: openDb(env.DB), config: readConfig(env), origin: ORIGIN, at: NOON }
beforeAll(loadFixtures)

/** So many ask an isolate for a path at an instant; how many times the database was asked. */
function crowd() {
  const { request: ask, trips } = newIsolate()
  return async (path: string, at: Millis, count: number) => {
    const before = trips()
    const answers = await Promise.all(Array.from({ length: count }, () => ask(path, {}, at)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    return { trips: trips() - before, texts: new Set(texts) }
  }
}

test('shares one load between concurrent callers', async () => {
  for (const path of ['/api/tracks', '/']) {
    const [one, many] = [crowd(), crowd()]
    for (const at of [NOON, NOON + HOUR_MS]) {
      const alone = await one(path, at, 1)
      const rush = await many(path, at, 32)
      expect([path, rush.texts, rush.trips]).toEqual([path, alone.texts, alone.trips])
    }
  }
})

test('times out hanging loads and shares failures', async () => {
  const kept = createResponseCache(1500)
  let made = 0
  const read = (make: LoadResponse) => kept.get('/one', source, make, () => {})
  const good: LoadResponse = async () => ({ body: `${++made}`, headers: {}, hasCounters: false })
  void read(() => new Promise(() => {}))
  const bodies = await Promise.all([read(good), read(good), read(good)])
  expect(bodies.map(({ body }) => body)).toEqual(['1', '1', '1'])
  kept.invalidate()
  await run("UPDATE site SET tagline = 'Broken'")
  const bad: LoadResponse = async () => {
    made += 1
    throw new Error('No.')
  }
  const told = await Promise.allSettled([read(bad), read(bad), read(bad)])
  expect([told.map(({ status }) => status), made]).toEqual([['rejected', 'rejected', 'rejected'], 2])
  expect((await read(good)).body).toBe('3')
})

test('waits at most one timeout for hanging loads', async () => {
  const kept = createResponseCache(1000)
  let begun = 0
  const never: LoadResponse = () => {
    begun += 1
    return new Promise(() => {})
  }
  for (let i = 0; i < 8; i++) void kept.get('/one', source, never, () => {})
  await vi.waitFor(() => expect(begun).toBe(8), 3000)
})

test('revalidates for callers with a bookmark, sharing one load', async () => {
  const kept = createResponseCache()
  const { DB, trips } = spyOnD1(env.DB)
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let made = 0
  const slow: LoadResponse = async () => {
    asked.resolve()
    await goOn.promise
    return { body: `slow ${++made}`, headers: {}, hasCounters: false }
  }
  const prompt: LoadResponse = async ({ at }) => ({ body: `at ${at}`, headers: {}, hasCounters: false })
  // The poll of the house ends a day after noon.
  const read = (make: LoadResponse, at: Millis) =>
    kept.get('/one', { ...source, db: openDb(DB), at }, make, () => {}, true)
  const many = Array.from({ length: 8 }, () => read(slow, NOON + DAY_MS - 1))
  await asked.promise
  await vi.waitFor(() => expect(trips()).toBe(8))
  const late = read(prompt, NOON + DAY_MS)
  await run("UPDATE site SET tagline = 'Meanwhile'")
  const changed = await read(prompt, NOON + DAY_MS - 1)
  goOn.resolve()
  const bodies = (await Promise.all(many)).map(({ body }) => body)
  expect(bodies).toEqual(Array(8).fill('slow 1'))
  expect([(await late).body, changed.body]).toEqual([`at ${NOON + DAY_MS}`, `at ${NOON + DAY_MS - 1}`])
})

test('clears the cache at its maximum size', async () => {
  const kept = createResponseCache(undefined, 2)
  const make: LoadResponse = async () => ({ body: crypto.randomUUID(), headers: {}, hasCounters: false })
  const read = async (name: string) => (await kept.get(name, source, make, () => {})).body
  const [one, two] = [await read('/one'), await read('/two')]
  expect([await read('/one'), await read('/two')]).toEqual([one, two])
  const three = await read('/three')
  expect([await read('/three'), (await read('/one')) === one]).toEqual([three, false])
})

test('does not share loads that began before an invalidation', async () => {
  const kept = createResponseCache()
  const tagline = () => env.DB.prepare('SELECT tagline FROM site').first<string>('tagline')
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: LoadResponse = async () => {
    const body = String(await tagline())
    asked.resolve()
    await goOn.promise
    return { body, headers: {}, hasCounters: false }
  }
  const prompt: LoadResponse = async () => ({ body: String(await tagline()), headers: {}, hasCounters: false })
  const before = kept.get('/one', source, slow, () => {})
  await asked.promise
  await run("UPDATE site SET tagline = 'After it'")
  kept.invalidate()
  const after = kept.get('/one', source, prompt, () => {})
  goOn.resolve()
  expect([(await after).body, (await before).body === 'After it']).toEqual(['After it', false])
  expect((await kept.get('/one', source, prompt, () => {})).body).toBe('After it')
})
