import { env } from 'cloudflare:test'
import { expect, test, vi } from 'vitest'
import worker from '../index'
import { DAY, HOUR } from '../lib/clock'
import { newBrowser } from '../testing/browser'
import { addPerson, entered, freshAddress } from '../testing/people'
import { staleKV } from '../testing/stale-kv'
import { watchedD1 } from '../testing/watched-d1'
import { SESSION_LIFE } from './sessions'

const NOW = Date.parse('2026-07-01T07:30:00Z')
const daily = (at: number, DB = env.DB) =>
  worker.scheduled({ scheduledTime: at } as ScheduledController, { ...env, DB } as never)
const kept = async () =>
  Promise.all(
    [
      'SELECT key AS name FROM attempts ORDER BY name',
      'SELECT hash AS name FROM mail_tokens ORDER BY name',
      'SELECT sid AS name FROM revoked_sessions ORDER BY name',
    ].map(async (query) => (await env.DB.prepare(query).all<{ name: string }>()).results.map(({ name }) => name)),
  )
const add = (userId: number, name: string, expiresAt: number) =>
  env.DB.batch([
    env.DB.prepare('INSERT INTO attempts (key, count, expires_at) VALUES (?1, 1, ?2)').bind(name, expiresAt),
    env.DB.prepare(
      "INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at) VALUES (?1, ?3, 'verify', 'a', ?2)",
    ).bind(name, expiresAt, userId),
    env.DB.prepare('INSERT INTO revoked_sessions (sid, expires_at) VALUES (?1, ?2)').bind(name, expiresAt),
  ])

test('once a day what ran out more than an hour ago is forgotten, and nothing else; twice does no more', async () => {
  const { id } = await addPerson('ana')
  await add(id, 'over', NOW - HOUR)
  await add(id, 'just over', NOW - HOUR + 1)
  await add(id, 'open', NOW + DAY)
  for (let run = 0; run < 2; run++) {
    await daily(NOW)
    expect(await kept()).toEqual(Array(3).fill(['just over', 'open']))
  }
  await daily(NOW + DAY + HOUR)
  expect(await kept()).toEqual([[], [], []])
})

test('a logged-out session stays dead through every night until it has run out by itself', async () => {
  await addPerson('bo')
  const SESSIONS = staleKV(env.SESSIONS)
  const browser = await entered('bo', { at: NOW, env: { SESSIONS } })
  const thief = newBrowser({ address: freshAddress(), env: { SESSIONS } })
  thief.cookies.set('__Host-session', browser.cookies.get('__Host-session')!)
  const asked = async (at: number) => (await thief.send('GET', '/api/auth/user', undefined, { at })).status
  expect(await asked(NOW)).toBe(200)
  await browser.send('POST', '/api/auth/logout')
  const end = NOW + SESSION_LIFE.supporter.absolute
  for (const at of [NOW + DAY, NOW + 29 * DAY, end, end + HOUR]) {
    await daily(at)
    expect(await asked(at)).toBe(401)
  }
  expect((await kept())[2]).toEqual([])
})

test('a flood is removed in pieces, and what a failing night leaves the next one takes', async () => {
  const rows = 4_001
  await env.DB.prepare(
    `INSERT INTO attempts (key, count, expires_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT 'flood ' || i, 1, 0 FROM n`,
  )
    .bind(rows)
    .run()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const lost = watchedD1(env.DB, {
    // The first two are another job's and its record; a step sweeps three tables.
    before: (trip) => {
      if (trip === 6) throw new Error('flood 1 was lost')
    },
  })
  await daily(NOW, lost.DB)
  expect((await kept())[0]?.length).toBe(rows - 2_000)
  expect(error.mock.calls.flat().map((line) => JSON.parse(String(line)))).toMatchObject([
    { at: 'scheduled', job: 'Forget tokens, guesses and revocations that are over' },
  ])
  error.mockRestore()
  await daily(NOW)
  expect((await kept())[0]).toEqual([])
})
