import { env } from 'cloudflare:test'
import { beforeAll, expect, test, vi } from 'vitest'
import { createApp } from '../app'
import { DAY_MS, SECOND_MS } from '../lib/clock'
import { send } from '../testing/client'
import { addTrack, addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { withMethods } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { revokeSession, type SessionPayload } from './sessions'

beforeAll(async () => {
  await seedSite(env.DB)
  await addTrack({ id: 1 })
})

/** A supporter in one isolate, with a clock and a counter of KV reads. */
async function createIsolate(openedAt = NOON) {
  const clock = { now: NOON }
  const app = createApp(() => clock.now)
  const user = await addUser()
  const session = await sessionFor(user, openedAt)
  const get = vi.fn((key: string) => env.SESSIONS.get(key))
  const SESSIONS = withMethods(env.SESSIONS, { get })
  const status = async (method: string, path: string) =>
    (await send(method, path, undefined, { app, headers: session.headers, env: { SESSIONS } })).status
  const kvReads = () => get.mock.calls.length
  return { clock, user, ...session, kvReads, like: () => status('POST', '/api/tracks/1/like'), status }
}

test('reads KV once per session in half a minute', async () => {
  const { clock, like, kvReads } = await createIsolate()
  expect([await like(), await like(), kvReads()]).toEqual([200, 200, 1])
  clock.now += 29 * SECOND_MS
  expect([await like(), kvReads()]).toEqual([200, 1])
  clock.now += SECOND_MS
  expect([await like(), kvReads()]).toEqual([200, 2])
})

test('logout, ban and password change end a cached session', async () => {
  const endings: [string, (isolate: { user: { id: number }; session: SessionPayload }) => unknown, number][] = [
    ['log-out', ({ session }) => revokeSession(db, env.SESSIONS, session), 401],
    ['ban', ({ user }) => env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(user.id).run(), 403],
    [
      'password',
      ({ user }) =>
        env.DB.prepare('UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?1').bind(user.id).run(),
      401,
    ],
  ]
  for (const [name, end, status] of endings) {
    const isolate = await createIsolate()
    expect([name, await isolate.like()]).toEqual([name, 200])
    await end(isolate)
    expect([name, await isolate.like()]).toEqual([name, status])
  }
})

test('caching does not extend a session', async () => {
  const isolate = await createIsolate(NOON - 30 * DAY_MS + 10 * SECOND_MS)
  isolate.clock.now += 9 * SECOND_MS
  expect(await isolate.like()).toBe(200)
  isolate.clock.now += SECOND_MS
  expect([await isolate.like(), isolate.kvReads()]).toEqual([401, 2])
})

test('caches per session, only for endpoints with checksSessionInSql', async () => {
  const { like, status, kvReads } = await createIsolate()
  await like()
  expect([await status('GET', '/api/auth/user'), kvReads()]).toEqual([200, 2])
  const otherIsolate = await createIsolate()
  expect([await otherIsolate.like(), otherIsolate.kvReads()]).toEqual([200, 1])
})
