import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { openDb } from '../db/client'
import type { Deps } from '../deps'
import worker from '../index'
import { runDailyJobs } from '../jobs/job-runs'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { newBrowser } from '../testing/client'
import { spyOnD1, staleKV } from '../testing/stores'
import { addNamedUser, browserWithSession, uniqueIp } from '../testing/users'
import { personalData } from './personal-data'
import { SESSION_TTL_MS } from './sessions'

const NOW = Date.parse('2026-07-01T07:30:00Z')
const runDailyCron = (at: number) => worker.scheduled({ scheduledTime: at } as ScheduledController, env as never)
/** Keys of the rows of `attempts`, `email_changes`, `mail_tokens` and `revoked_sessions`. */
const rowNames = async () =>
  Promise.all(
    [
      'SELECT key AS name FROM attempts ORDER BY name',
      'SELECT hash AS name FROM email_changes ORDER BY name',
      'SELECT hash AS name FROM mail_tokens ORDER BY name',
      'SELECT sid AS name FROM revoked_sessions ORDER BY name',
    ].map(async (query) => (await env.DB.prepare(query).all<{ name: string }>()).results.map(({ name }) => name)),
  )
/** Adds a row with the key `name` to each table of `rowNames`. */
const insertRows = (userId: number, name: string, expiresAt: number) =>
  env.DB.batch([
    env.DB.prepare('INSERT INTO attempts (key, count, expires_at) VALUES (?1, 1, ?2)').bind(name, expiresAt),
    env.DB.prepare(
      "INSERT INTO mail_tokens (hash, user_id, purpose, email_key, expires_at) VALUES (?1, ?3, 'verify', 'a', ?2)",
    ).bind(name, expiresAt, userId),
    env.DB.prepare(
      "INSERT INTO email_changes (hash, user_id, new_email, expires_at) VALUES (?1, ?3, 'a@mail.example', ?2)",
    ).bind(name, expiresAt, userId),
    env.DB.prepare('INSERT INTO revoked_sessions (sid, expires_at) VALUES (?1, ?2)').bind(name, expiresAt),
  ])

test('deletes rows an hour after they expire, idempotently', async () => {
  const { id } = await addNamedUser('ana')
  await insertRows(id, 'expired', NOW - HOUR_MS)
  await insertRows(id, 'just expired', NOW - HOUR_MS + 1)
  await insertRows(id, 'valid', NOW + DAY_MS)
  for (let run = 0; run < 2; run++) {
    await runDailyCron(NOW)
    expect(await rowNames()).toEqual(Array(4).fill(['just expired', 'valid']))
  }
  await runDailyCron(NOW + DAY_MS + HOUR_MS)
  expect(await rowNames()).toEqual([[], [], [], []])
})

test('keeps a revocation until its session has expired', async () => {
  await addNamedUser('bo')
  const SESSIONS = staleKV(env.SESSIONS)
  const browser = await browserWithSession('bo', { at: NOW, env: { SESSIONS } })
  const thief = newBrowser({ address: uniqueIp(), env: { SESSIONS } })
  thief.cookies.set('__Host-session', browser.cookies.get('__Host-session')!)
  const statusAt = async (at: number) => (await thief.send('GET', '/api/auth/user', undefined, { at })).status
  expect(await statusAt(NOW)).toBe(200)
  await browser.send('POST', '/api/auth/logout')
  const end = NOW + SESSION_TTL_MS.supporter.absolute
  for (const at of [NOW + DAY_MS, NOW + 29 * DAY_MS, end, end + HOUR_MS]) {
    await runDailyCron(at)
    expect(await statusAt(at)).toBe(401)
  }
  const [, , , revokedSessions] = await rowNames()
  expect(revokedSessions).toEqual([])
})

test('deletes many rows in batches and resumes after a failure', async () => {
  const rows = 4_001
  await env.DB.prepare(
    `INSERT INTO attempts (key, count, expires_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) SELECT 'flood ' || i, 1, 0 FROM n`,
  )
    .bind(rows)
    .run()
  const failures: unknown[] = []
  const run = (d1: D1Database) =>
    runDailyJobs(personalData.retention ?? [], { db: openDb(d1) } as Deps, NOW, (job) => failures.push(job))
  const failing = spyOnD1(env.DB, {
    // Fails the fourth round trip: by then the first step has deleted one batch.
    before: (roundTrip) => {
      if (roundTrip === 4) throw new Error('connection lost')
    },
  })
  await run(failing.DB)
  expect((await rowNames())[0]?.length).toBe(rows - 2_000)
  expect(failures).toEqual(['Delete expired tokens, guesses and revocations'])
  await run(env.DB)
  expect((await rowNames())[0]).toEqual([])
})
