import { afterAll, beforeAll, expect, test } from 'vitest'
import { LiveCounts } from '../../worker/contract/polls'
import { sleep } from './killable-server'
import { countByStatus, inParallel, startTestServer, type TestServer } from './test-server'

// Concurrent requests to one server: votes, points, sign-ups and a challenge that closes.

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

const vote = (cookie: string, poll: string, option: string) =>
  server.request<{ pointsAwarded: number }>(
    'POST',
    `/api/polls/${poll}/vote`,
    { optionId: `${poll}-${option}` },
    cookie,
  )

test('100 concurrent votes of one user count and earn once', async () => {
  await server.newPoll('one')
  const [supporter] = await server.newSupporters(1)
  const responses = await inParallel(100, (i) => vote(supporter!.cookie, 'one', i % 2 ? 'a' : 'b'))
  expect(countByStatus(responses)).toEqual({ 200: 1, 409: 99 })
  expect(new Set(responses.map(({ code }) => code))).toEqual(new Set([undefined, 'already_voted']))
  expect(await server.rows("SELECT sum(votes) AS votes FROM poll_options WHERE poll_id = 'one'")).toEqual([
    { votes: 1 },
  ])
  expect(await server.rows('SELECT points FROM users WHERE id = ?1', supporter!.id)).toEqual([{ points: 10 }])
  expect(await server.readWrongTotals()).toEqual([])
})

test('counts one vote for each of 500 concurrent voters', async () => {
  await server.newPoll('many')
  const supporters = await server.newSupporters(500)
  const responses = await inParallel(500, (i) => vote(supporters[i]!.cookie, 'many', i % 5 ? 'a' : 'b'))
  expect(countByStatus(responses)).toEqual({ 200: 500 })
  const counts = await server.rows("SELECT votes FROM poll_options WHERE poll_id = 'many' ORDER BY position")
  expect(counts).toEqual([{ votes: 400 }, { votes: 100 }])
  expect(await server.readWrongTotals()).toEqual([])
})

test('rejects votes of banned supporters', async () => {
  await server.newPoll('late')
  const supporters = await server.newSupporters(20)
  const ids = JSON.stringify(supporters.map(({ id }) => id))
  const racing = inParallel(20, (i) => vote(supporters[i]!.cookie, 'late', 'a'))
  await server.run(
    'UPDATE users SET banned_at = 1, session_epoch = 1 WHERE id IN (SELECT value FROM json_each(?1))',
    ids,
  )
  const acceptedCount = countByStatus(await racing)[200] ?? 0
  expect(countByStatus(await inParallel(20, (i) => vote(supporters[i]!.cookie, 'late', 'b')))).toEqual({ 403: 20 })
  expect(await server.rows("SELECT count(*) AS votes FROM poll_votes WHERE poll_id = 'late'")).toEqual([
    { votes: acceptedCount },
  ])
})

test('live results reach only voters, and survive eviction', async () => {
  await server.newPoll('watched')
  const [voter, other, nonVoter] = await server.newSupporters(3)
  await vote(voter!.cookie, 'watched', 'a')
  const openLiveSocket = (cookie: string, origin = server.base.origin) => {
    const url = `ws://${server.base.host}/api/polls/watched/live`
    const socket = new WebSocket(url, { headers: { cookie, origin } } as unknown as string[])
    const messages: string[] = []
    socket.addEventListener('message', ({ data }) => void messages.push(String(data)))
    const result = new Promise<'open' | 'rejected'>((resolve) => {
      socket.addEventListener('open', () => resolve('open'))
      socket.addEventListener('error', () => resolve('rejected'))
    })
    return { socket, messages, result }
  }
  const outsiders = [
    openLiveSocket(nonVoter!.cookie),
    openLiveSocket(''),
    openLiveSocket(voter!.cookie, 'https://evil.example'),
  ]
  const watching = openLiveSocket(voter!.cookie)
  expect(await watching.result).toBe('open')
  await server.evict('watched')
  await vote(other!.cookie, 'watched', 'b')
  await expect
    .poll(() => LiveCounts.parse(JSON.parse(watching.messages.at(-1) ?? '{"options":[]}')).options, { timeout: 5000 })
    .toEqual([
      { id: 'watched-a', voteCount: 1 },
      { id: 'watched-b', voteCount: 1 },
    ])
  expect(await Promise.all(outsiders.map(({ result }) => result))).toEqual(['rejected', 'rejected', 'rejected'])
  expect(outsiders.flatMap(({ messages }) => messages)).toEqual([])
  watching.socket.close()
})

const pointsOf = async (id: number) =>
  (await server.rows<{ points: number }>('SELECT points FROM users WHERE id = ?1', id))[0]?.points
type EarnedPoints = { pointsAwarded: number }

test('100 concurrent likes of one user count and earn once', async () => {
  const [supporter] = await server.newSupporters(1)
  const responses = await inParallel(100, () =>
    server.request<EarnedPoints>('POST', '/api/tracks/1/like', undefined, supporter!.cookie),
  )
  expect(countByStatus(responses)).toEqual({ 200: 100 })
  expect(responses.reduce((sum, { body }) => sum + body.pointsAwarded, 0)).toBe(5)
  expect(await pointsOf(supporter!.id)).toBe(5)
  expect(await server.readWrongTotals()).toEqual([])
})

test('concurrent awards and reversals never make points negative', async () => {
  const supporters = await server.newSupporters(5)
  const admin = await server.newAdministrator()
  await inParallel(5, (i) => server.request('POST', '/api/tracks/2/like', undefined, supporters[i]!.cookie))
  const entries = await server.rows<{ id: number }>("SELECT id FROM ledger WHERE key = 'track_like:2'")
  const responses = await inParallel(50, (i) =>
    i % 3 === 0
      ? server.request('POST', `/api/admin/points/${entries[i % 5]!.id}/void`, { reason: 'A race' }, admin)
      : server.request(i % 3 === 1 ? 'DELETE' : 'POST', '/api/tracks/2/like', undefined, supporters[i % 5]!.cookie),
  )
  const statuses = Object.keys(countByStatus(responses))
  expect(statuses.filter((status) => status !== '200' && status !== '409')).toEqual([])
  expect(await server.readWrongTotals()).toEqual([])
  for (const { id } of supporters) {
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
  const [supporter] = await server.newSupporters(1)
  const report = (cookie: string, more = {}) =>
    server.request<EarnedPoints>('POST', '/api/tracks/stream', { trackId: '1', platform: 'web', ...more }, cookie)
  const audioResponse = await fetch(new URL('/api/tracks/1/audio', server.base), {
    headers: { cookie: supporter!.cookie },
  })
  const cookies = audioResponse.headers.getSetCookie().map((header) => header.split(';')[0])
  const listenCookie = cookies.find((cookie) => cookie?.startsWith('listen_1=')) ?? ''
  const responses = [
    ...(await inParallel(50, () => report(supporter!.cookie))),
    // Reported immediately after loading, so the track cannot have played.
    ...(await inParallel(50, (i) =>
      report(`${supporter!.cookie}; ${listenCookie}`, {
        timestamp: Date.now() + i * 60_000,
        userTier: 'gold',
        userAgent: 'x',
      }),
    )),
    ...(await inParallel(20, () => report(''))),
  ]
  expect(listenCookie).not.toBe('')
  expect(countByStatus(responses)).toEqual({ 202: 120 })
  expect(responses.every(({ body }) => body.pointsAwarded === 0)).toBe(true)
  expect(await pointsOf(supporter!.id)).toBe(0)
  // The queue delivers its batches every two seconds.
  await sleep(2500)
  expect(await server.rows('SELECT plays FROM tracks WHERE id = 1')).toEqual([{ plays: 0 }])
})

test('8 concurrent referrals earn three bonuses', async () => {
  const password = 'correct horse battery staple'
  const [referrer] = await server.newSupporters(1)
  await server.run("UPDATE users SET referral_code = 'ANY1ABC' WHERE id = ?1", referrer!.id)
  const signUpResponses = await inParallel(8, (i) =>
    server.request('POST', '/api/auth/signup', {
      username: `friend${i}`,
      email: `friend${i}@mail${i}.example`,
      password,
      referralCode: i % 2 ? 'any1abc' : ' ANY1ABC ',
    }),
  )
  expect(countByStatus(signUpResponses)).toEqual({ 201: 8 })
  const emails = await server.rows<{ text: string }>("SELECT text FROM outbox WHERE text LIKE '%/verify-email?token=%'")
  const tokens = emails.map(({ text }) => /verify-email\?token=([\w-]+)/.exec(text)?.[1])
  const confirmResponses = await inParallel(16, (i) =>
    server.request('POST', '/api/auth/email/verify', { token: tokens[i % 8], password }),
  )
  expect(countByStatus(confirmResponses)).toEqual({ 200: 16 })
  expect(await pointsOf(referrer!.id)).toBe(3 * 200)
  expect(await server.rows("SELECT sum(points) AS points FROM users WHERE username LIKE 'friend%'")).toEqual([
    { points: 8 * 50 },
  ])
  expect(await server.readWrongTotals()).toEqual([])
}, 120_000)

test('50 concurrent sign-ups with one name create one account', async () => {
  const [referrer] = await server.newSupporters(1)
  await server.run("UPDATE users SET referral_code = 'ANY9ABC' WHERE id = ?1", referrer!.id)
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
  const selectCounts = `SELECT (SELECT count(*) FROM users WHERE email LIKE 'wanted%') AS users,
    (SELECT count(*) FROM outbox WHERE recipient LIKE 'wanted%') AS emails,
    (SELECT count(*) FROM ledger WHERE action = 'referral_signup' AND user_id IN (SELECT id FROM users WHERE username_key = 'wanted')) AS paid,
    (SELECT count(*) FROM ledger WHERE user_id NOT IN (SELECT id FROM users)) AS orphans`
  expect(await server.rows(selectCounts)).toEqual([{ users: 1, emails: 1, paid: 1, orphans: 0 }])
  expect(await server.readWrongTotals()).toEqual([])
}, 60_000)

test('20 concurrent requests of one user create three polls', async () => {
  const [supporter] = await server.newSupporters(1)
  const options = [{ title: 'This' }, { title: 'That' }]
  const responses = await inParallel(20, (i) =>
    server.request('POST', '/api/polls', { title: `Poll ${i}`, options }, supporter!.cookie),
  )
  expect(countByStatus(responses)).toEqual({ 201: 3, 429: 17 })
  expect(await pointsOf(supporter!.id)).toBe(25)
  expect(await server.readWrongTotals()).toEqual([])
})

/** Opens a challenge with two finalists that takes votes until `closesAt` (epoch ms). */
async function openVoting(db: D1Database, id: string, closesAt: number): Promise<void> {
  const day = '2026-01-01'
  await db
    .prepare(
      `INSERT INTO challenges (id, title, prize, submissions_from, submissions_until, finalists_on, voting_from, voting_until,
         winner_on, closed_on, voting_closes_at, publish_at)
       VALUES (?1, ?1, 'A prize', ?2, ?2, ?2, ?2, ?2, ?2, ?2, ?3, ?3)`,
    )
    .bind(id, day, closesAt)
    .run()
  for (const [index, name] of ['a', 'b'].entries())
    await db
      .prepare('INSERT INTO challenge_finalists (id, challenge_id, name, position) VALUES (?1, ?2, ?3, ?4)')
      .bind(`${id}-${name}`, id, name, index + 1)
      .run()
}

/** Finalists whose counter differs from their ballots, and ballots of unsealed challenges without a fingerprint. */
const INCONSISTENT_ROWS = `
  SELECT id FROM challenge_finalists f WHERE votes <> (SELECT count(*) FROM challenge_ballots WHERE finalist_id = f.id)
  UNION ALL SELECT 'no fingerprint' FROM challenge_ballots b JOIN challenges c ON c.id = b.challenge_id AND c.ballots_sha256 IS NULL
    WHERE NOT EXISTS (SELECT 1 FROM ballot_marks WHERE ballot_id = b.id)`

test('ballots cast before voting closes count once, later ones never', async () => {
  const supporters = await server.newSupporters(100)
  // Warm up the server before the race.
  await server.request('GET', '/api/challenge/current')
  const closesAt = Date.now() + 3500
  await openVoting(server.env.DB, 'late', closesAt)
  const voteLate = async (index: number) => {
    await sleep(closesAt - Date.now() - 2000 + (index % 100) * 25)
    const body = { finalistId: `late-${index % 3 ? 'a' : 'b'}` }
    return server.request('POST', '/api/challenges/late/vote', body, supporters[index % 100]!.cookie)
  }
  const responses = await inParallel(200, voteLate)
  const statuses = countByStatus(responses)
  expect(Object.keys(statuses).filter((status) => !['200', '409', '410'].includes(status))).toEqual([])
  // Unless some votes are accepted and some are late, the test proves nothing.
  expect(statuses[200]).toBeGreaterThan(0)
  expect(statuses[410]).toBeGreaterThan(0)
  const [stored] = await server.rows<{ n: number; last: number }>(
    "SELECT count(*) AS n, max(cast_at) AS last FROM challenge_ballots WHERE challenge_id = 'late'",
  )
  expect(stored?.n).toBe(statuses[200])
  expect(stored?.last).toBeLessThan(closesAt)
  await server.runFiveMinuteJobs(new Date(closesAt))
  expect(await server.rows("SELECT ballots_count AS n FROM challenges WHERE id = 'late'")).toEqual([
    { n: statuses[200] },
  ])
  expect(await server.rows(INCONSISTENT_ROWS)).toEqual([])
}, 60_000)
