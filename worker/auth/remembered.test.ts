import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { newApp } from '../app'
import { DAY, SECOND } from '../lib/clock'
import { send } from '../testing/client'
import { furnish, NOON } from '../testing/furnish'
import { addTrack, addUser, sessionFor } from '../testing/rows'
import { type Claim, closeSession } from './sessions'

beforeAll(async () => {
  await furnish(env.DB)
  await addTrack({ id: 1 })
})

/** Somebody whose requests are all taken by one isolate, with a clock and a count of its looks into KV. */
async function oneIsolate(openedAt = NOON) {
  const clock = { now: NOON }
  const app = newApp(() => clock.now)
  const user = await addUser()
  const session = await sessionFor(user, openedAt)
  let looks = 0
  const SESSIONS = new Proxy(env.SESSIONS, {
    get(kv, name) {
      if (name === 'get') looks++
      return Reflect.get(kv, name).bind(kv)
    },
  })
  const status = async (method: string, path: string) =>
    (await send(method, path, undefined, { app, headers: session.headers, env: { SESSIONS } })).status
  return { clock, user, ...session, looks: () => looks, like: () => status('POST', '/api/tracks/1/like'), status }
}

test('who acts again within half a minute is looked up in KV once', async () => {
  const { clock, like, looks } = await oneIsolate()
  expect([await like(), await like(), looks()]).toEqual([200, 200, 1])
  clock.now += 29 * SECOND
  expect([await like(), looks()]).toEqual([200, 1])
  clock.now += SECOND
  expect([await like(), looks()]).toEqual([200, 2])
})

test('a session that is remembered ends at once all the same: by log-out, ban and password', async () => {
  const ends: [string, (one: { user: { id: number }; claim: Claim }) => unknown, number][] = [
    ['log-out', ({ claim }) => closeSession(env.DB, env.SESSIONS, claim), 401],
    ['ban', ({ user }) => env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(user.id).run(), 403],
    [
      'password',
      ({ user }) =>
        env.DB.prepare('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?1').bind(user.id).run(),
      401,
    ],
  ]
  for (const [what, end, answer] of ends) {
    const one = await oneIsolate()
    expect([what, await one.like()]).toEqual([what, 200])
    await end(one)
    expect([what, await one.like()]).toEqual([what, answer])
  }
})

test('remembering makes no session longer', async () => {
  const one = await oneIsolate(NOON - 30 * DAY + 10 * SECOND)
  one.clock.now += 9 * SECOND
  expect(await one.like()).toBe(200)
  one.clock.now += SECOND
  expect([await one.like(), one.looks()]).toEqual([401, 2])
})

test('what is no joined statement asks KV, and another token is another person', async () => {
  const { like, status, looks } = await oneIsolate()
  await like()
  expect([await status('GET', '/api/auth/user'), looks()]).toEqual([200, 2])
  const other = await oneIsolate()
  expect([await other.like(), other.looks()]).toEqual([200, 1])
})
