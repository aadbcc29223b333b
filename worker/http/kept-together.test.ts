import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { newApp } from '../app'
import { readConfig } from '../config'
import { openDb } from '../db/client'
import { HOUR, type Millis } from '../lib/clock'
import { ORIGIN, send } from '../testing/client'
import { fullHouse } from '../testing/full-house'
import { NOON } from '../testing/furnish'
import { watchedD1 } from '../testing/watched-d1'
import { type Maker, newKept, type Source } from './kept'

const run = (sql: string) => env.DB.prepare(sql).run()
const source: Source = { db: openDb(env.DB), config: readConfig(env), origin: ORIGIN, at: NOON }
beforeAll(fullHouse)

/** So many ask an isolate for a path at an instant; how many times the database was asked. */
function isolate() {
  let now: Millis = NOON
  const app = newApp(() => now)
  return async (path: string, at: Millis, count: number) => {
    now = at
    const { DB, trips } = watchedD1(env.DB)
    const answers = await Promise.all(
      Array.from({ length: count }, () => send('GET', path, undefined, { app, env: { DB } })),
    )
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    return { trips: trips(), texts: new Set(texts) }
  }
}

test('a rush that finds nothing kept, or what is too old, has it made once', async () => {
  for (const path of ['/api/tracks', '/']) {
    const [one, crowd] = [isolate(), isolate()]
    for (const at of [NOON, NOON + HOUR]) {
      const alone = await one(path, at, 1)
      const rush = await crowd(path, at, 32)
      expect([path, rush.texts, rush.trips]).toEqual([path, alone.texts, alone.trips])
    }
  }
})

test('a maker that never comes back is waited for so long, one that fails fails for all, and the next is asked anew', async () => {
  const kept = newKept(1500)
  let made = 0
  const read = (make: Maker) => kept.read('/one', source, make, () => {})
  const good: Maker = async () => ({ body: `${++made}`, headers: {}, counts: false })
  void read(() => new Promise(() => {}))
  const bodies = await Promise.all([read(good), read(good), read(good)])
  expect(bodies.map(({ body }) => body)).toEqual(['1', '1', '1'])
  kept.forget()
  await run("UPDATE site SET tagline = 'Broken'")
  const bad: Maker = async () => {
    made += 1
    throw new Error('No.')
  }
  const told = await Promise.allSettled([read(bad), read(bad), read(bad)])
  expect([told.map(({ status }) => status), made]).toEqual([['rejected', 'rejected', 'rejected'], 2])
  expect((await read(good)).body).toBe('3')
})

test('what was begun before a change is not given to who asks after it', async () => {
  const kept = newKept()
  const tagline = () => env.DB.prepare('SELECT tagline FROM site').first<string>('tagline')
  const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Maker = async () => {
    const body = String(await tagline())
    asked.resolve()
    await goOn.promise
    return { body, headers: {}, counts: false }
  }
  const prompt: Maker = async () => ({ body: String(await tagline()), headers: {}, counts: false })
  const before = kept.read('/one', source, slow, () => {})
  await asked.promise
  await run("UPDATE site SET tagline = 'After it'")
  kept.forget()
  const after = kept.read('/one', source, prompt, () => {})
  goOn.resolve()
  expect([(await after).body, (await before).body === 'After it']).toEqual(['After it', false])
  expect((await kept.read('/one', source, prompt, () => {})).body).toBe('After it')
})
