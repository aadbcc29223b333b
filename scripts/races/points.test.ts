import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSession } from '../../worker/auth/sessions'
import { countByStatus, inParallel, startTestServer, type TestServer } from './test-server'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const id of [1, 2])
    await server.run(
      `INSERT INTO tracks (id, title, artist, duration_seconds, cover_url, cover_alt, position, released_at, audio_key)
       VALUES (?1, 'A song', 'Somebody', 180, '', '', ?1, 0, 'audio/song.mp3')`,
      id,
    )
  await server.env.FILES.put('audio/song.mp3', new Uint8Array(5000))
}, 120_000)
afterAll(() => server.close())

const pointsOf = async (id: number) =>
  (await server.rows<{ points: number }>('SELECT points FROM users WHERE id = ?1', id))[0]?.points
type Earned = { pointsAwarded: number }

test('100 concurrent likes of one user count and pay once', async () => {
  const [fan] = await server.newFans(1)
  const responses = await inParallel(100, () =>
    server.request<Earned>('POST', '/api/tracks/1/like', undefined, fan!.cookie),
  )
  expect(countByStatus(responses)).toEqual({ 200: 100 })
  expect(responses.reduce((sum, { json }) => sum + json.pointsAwarded, 0)).toBe(5)
  expect(await pointsOf(fan!.id)).toBe(5)
  expect(await server.disagreements()).toEqual([])
})

test('concurrent awards and reversals never go below zero', async () => {
  const fans = await server.newFans(5)
  const [admin] = await server.rows<{ id: number }>(
    `INSERT INTO users (username, username_key, role, created_at, last_active_at)
     VALUES ('admin', 'admin', 'administrator', 0, 0) RETURNING id`,
  )
  const { token } = await createSession(
    server.env.SESSIONS,
    'administrator',
    { userId: admin!.id, epoch: 0 },
    Date.now(),
  )
  await inParallel(5, (i) => server.request('POST', '/api/tracks/2/like', undefined, fans[i]!.cookie))
  const entries = await server.rows<{ id: number }>("SELECT id FROM ledger WHERE key = 'track_like:2'")
  const responses = await inParallel(50, (i) =>
    i % 3 === 0
      ? server.request('POST', `/api/admin/points/${entries[i % 5]!.id}/void`, { reason: 'A race' }, `admin=${token}`)
      : server.request(i % 3 === 1 ? 'DELETE' : 'POST', '/api/tracks/2/like', undefined, fans[i % 5]!.cookie),
  )
  const statuses = Object.keys(countByStatus(responses))
  expect(statuses.filter((status) => status !== '200' && status !== '409')).toEqual([])
  expect(await server.disagreements()).toEqual([])
  for (const { id } of fans) {
    const rows = await server.rows<{ key: string; points: number }>(
      'SELECT key, points FROM ledger WHERE user_id = ?1',
      id,
    )
    expect(rows).toEqual([
      { key: 'track_like:2', points: 5 },
      { key: 'undo:track_like:2', points: -5 },
    ])
    expect(await pointsOf(id)).toBe(0)
  }
})

test('stream reports without listening earn and count nothing', async () => {
  const [fan] = await server.newFans(1)
  const report = (cookie: string, more = {}) =>
    server.request<Earned>('POST', '/api/tracks/stream', { trackId: '1', platform: 'web', ...more }, cookie)
  const listening = await fetch(new URL('/api/tracks/1/audio', server.base), { headers: { cookie: fan!.cookie } })
  const cookies = listening.headers.getSetCookie().map((line) => line.split(';')[0])
  const listen = cookies.find((cookie) => cookie?.startsWith('listen_1=')) ?? ''
  const responses = [
    ...(await inParallel(50, () => report(fan!.cookie))),
    // Reported immediately after loading, so nothing was listened to.
    ...(await inParallel(50, (i) =>
      report(`${fan!.cookie}; ${listen}`, { timestamp: Date.now() + i * 60_000, userTier: 'gold', userAgent: 'x' }),
    )),
    ...(await inParallel(20, () => report(''))),
  ]
  expect(listen).not.toBe('')
  expect(countByStatus(responses)).toEqual({ 202: 120 })
  expect(responses.every(({ json }) => json.pointsAwarded === 0)).toBe(true)
  expect(await pointsOf(fan!.id)).toBe(0)
  // The queue delivers every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(await server.rows('SELECT plays FROM tracks WHERE id = 1')).toEqual([{ plays: 0 }])
})

test('20 concurrent referrals pay three bonuses', async () => {
  const password = 'correct horse battery staple'
  const [referrer] = await server.newFans(1)
  await server.run("UPDATE users SET referral_code = 'ANY1ABC' WHERE id = ?1", referrer!.id)
  const friends = await inParallel(20, (i) =>
    server.request('POST', '/api/auth/signup', {
      username: `friend${i}`,
      email: `friend${i}@mail${i}.example`,
      password,
      referralCode: i % 2 ? 'any1abc' : ' ANY1ABC ',
    }),
  )
  expect(countByStatus(friends)).toEqual({ 201: 20 })
  const mails = await server.rows<{ text: string }>("SELECT text FROM outbox WHERE text LIKE '%/verify-email?token=%'")
  const tokens = mails.map(({ text }) => /verify-email\?token=([\w-]+)/.exec(text)?.[1])
  const confirmed = await inParallel(40, (i) =>
    server.request('POST', '/api/auth/email/verify', { token: tokens[i % 20], password }),
  )
  expect(countByStatus(confirmed)).toEqual({ 200: 40 })
  expect(await pointsOf(referrer!.id)).toBe(3 * 200)
  expect(await server.rows("SELECT sum(points) AS points FROM users WHERE username LIKE 'friend%'")).toEqual([
    { points: 20 * 50 },
  ])
  expect(await server.disagreements()).toEqual([])
}, 120_000)

test('50 concurrent sign-ups with one name create one account', async () => {
  const [friend] = await server.newFans(1)
  await server.run("UPDATE users SET referral_code = 'ANY9ABC' WHERE id = ?1", friend!.id)
  const responses = await inParallel(50, (i) =>
    server.request('POST', '/api/auth/signup', {
      username: i % 2 ? 'Wanted' : 'wanted',
      email: `wanted${i}@mail.example`,
      password: 'correct horse battery staple',
      referralCode: 'ANY9ABC',
    }),
  )
  expect(countByStatus(responses)).toEqual({ 201: 1, 409: 49 })
  expect(new Set(responses.map(({ code }) => code))).toEqual(new Set([undefined, 'name_taken']))
  const left = `SELECT (SELECT count(*) FROM users WHERE email LIKE 'wanted%') AS people,
    (SELECT count(*) FROM outbox WHERE recipient LIKE 'wanted%') AS mails,
    (SELECT count(*) FROM ledger WHERE action = 'referral_signup' AND user_id IN (SELECT id FROM users WHERE username_key = 'wanted')) AS paid,
    (SELECT count(*) FROM ledger WHERE user_id NOT IN (SELECT id FROM users)) AS orphans`
  expect(await server.rows(left)).toEqual([{ people: 1, mails: 1, paid: 1, orphans: 0 }])
  expect(await server.disagreements()).toEqual([])
}, 60_000)

test('20 concurrent polls of one user create three, pay once', async () => {
  const [fan] = await server.newFans(1)
  const options = [{ title: 'This' }, { title: 'That' }]
  const responses = await inParallel(20, (i) =>
    server.request('POST', '/api/polls', { title: `Poll ${i}`, options }, fan!.cookie),
  )
  expect(countByStatus(responses)).toEqual({ 201: 3, 429: 17 })
  expect(await pointsOf(fan!.id)).toBe(25)
  expect(await server.disagreements()).toEqual([])
})
