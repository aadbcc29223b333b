import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { ShowPage } from '../contract/check-in'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newIsolate, ORIGIN } from '../testing/client'
import {
  addUser,
  CACHED_FOR_ALL,
  CACHED_FOR_VISITORS,
  CACHED_PAGES,
  loadFixtures,
  SHOW_API_PATH,
  SHOW_PAGE,
} from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { runSql } from '../testing/stores'
import { sessionFor } from '../testing/users'
import { MAX_UNCHECKED_MS } from './response-cache'

beforeAll(loadFixtures)

const ANY_SESSION = { cookie: 'session=any; __Host-session=any' }

test('serves from cache without queries for four seconds', async () => {
  const { request, trips } = newIsolate()
  for (const path of [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES]) {
    const first = await request(path)
    const before = trips()
    const again = await request(path, {}, NOON + 4 * SECOND_MS - 1)
    expect([path, first.status, trips() - before, await again.text()]).toEqual([path, 200, 0, await first.text()])
  }
})

test('serves supporters from cache without reading their session', async () => {
  const { headers } = await sessionFor(await addUser(), NOON)
  const { request, trips } = newIsolate()
  const SESSIONS = new Proxy(env.SESSIONS, {
    get: () => () => {
      throw new Error('The session was looked up.')
    },
  })
  for (const path of [...CACHED_FOR_ALL, ...CACHED_PAGES]) {
    // Browsers with a session cookie share one version of a page.
    await request(path, CACHED_PAGES.includes(path) ? ANY_SESSION : {})
    const before = trips()
    const ownResponse = await request(path, headers, NOON, 'GET', { SESSIONS })
    expect([path, ownResponse.status, trips() - before]).toEqual([path, 200, 0])
  }
})

test('revalidates after MAX_UNCHECKED_MS, and immediately after admin writes', async () => {
  const { request } = newIsolate()
  const tagline = async (at: Millis) =>
    /"tagline":"([^"]*)"/.exec(await (await request('/api/config', {}, at)).text())?.[1]
  await tagline(NOON)
  await runSql("UPDATE site SET tagline = 'Changed'")
  expect(await tagline(NOON + MAX_UNCHECKED_MS)).toBe('Changed')
  await runSql("UPDATE site SET tagline = 'Changed again'")
  // After any admin request other than GET, even a rejected one, the isolate revalidates.
  await request('/api/admin/polls/none/close', { origin: ORIGIN }, NOON + MAX_UNCHECKED_MS, 'POST')
  expect(await tagline(NOON + MAX_UNCHECKED_MS + 1)).toBe('Changed again')
})

test('reloads counters after MAX_UNCHECKED_MS', async () => {
  const { request } = newIsolate()
  const plays = async (at: Millis) =>
    (await (await request('/api/tracks', {}, at)).json<{ plays: number }[]>())[0]?.plays
  await plays(NOON)
  await runSql("INSERT INTO track_days (track_id, day, plays) VALUES (1, '2026-06-01', 7)")
  expect(await plays(NOON + MAX_UNCHECKED_MS)).toBe(7)
})

test('serves from cache while the data version is unchanged', async () => {
  const { request, trips } = newIsolate()
  await request('/api/config')
  const before = trips()
  await request('/api/config', {}, NOON + DAY_MS / 2)
  expect(trips() - before).toBe(1)
})

test('expires at the end of a show or poll', async () => {
  const { request } = newIsolate()
  const polls = async (at: Millis) => (await (await request('/api/polls/active', {}, at)).json<unknown[]>()).length
  expect(await polls(NOON + DAY_MS - 1)).toBe(1)
  expect(await polls(NOON + DAY_MS)).toBe(0)
  const shows = async (at: Millis) => (await (await request('/api/concerts/upcoming', {}, at)).json<unknown[]>()).length
  const end = NOON + DAY_MS + 3 * HOUR_MS
  expect(await shows(end - 1)).toBe(1)
  expect(await shows(end)).toBe(0)
})

test('expires show pages when the show starts and ends', async () => {
  const { request, trips } = newIsolate()
  const queriesFor = async (path: string, at: Millis) => {
    const before = trips()
    await request(path, {}, at)
    return trips() - before
  }
  // The show starts a day after noon and lasts three hours.
  for (const boundary of [NOON + DAY_MS, NOON + DAY_MS + 3 * HOUR_MS])
    for (const path of [SHOW_API_PATH, SHOW_PAGE]) {
      await request(path, {}, boundary - SECOND_MS)
      expect([path, await queriesFor(path, boundary - 1)]).toEqual([path, 0])
      expect([path, (await queriesFor(path, boundary)) > 1]).toEqual([path, true])
    }
  const later = newIsolate()
  const label = async (at: Millis) => />(LIVE|PLAYED)</.exec(await (await later.request(SHOW_PAGE, {}, at)).text())?.[1]
  expect([await label(NOON + DAY_MS), await label(NOON + DAY_MS + 3 * HOUR_MS)]).toEqual(['LIVE', 'PLAYED'])
})

test('expires at the next phase of a challenge', async () => {
  const { request } = newIsolate()
  const challenge = await env.DB.prepare("SELECT * FROM challenges WHERE id = 'open'").first<Record<string, number>>()
  const phases = ['submissions_close_at', 'finalists_at', 'voting_opens_at', 'voting_closes_at', 'publish_at']
  /** Whether a response is still served from cache just before `at`, and whether it is loaded again at `at`. */
  const checkExpiry = async (at: Millis) => {
    const { trips, request: requestOther } = newIsolate()
    await requestOther('/api/config', {}, at - 2)
    const before = trips()
    await requestOther('/api/config', {}, at - 1)
    const isCached = trips() === before
    await requestOther('/api/config', {}, at)
    return [isCached, trips() > before]
  }
  for (const phase of phases) expect([phase, ...(await checkExpiry(challenge![phase]!))]).toEqual([phase, true, true])
  const state = async (at: Millis) =>
    (await (await request('/api/challenge/current', {}, at)).json<{ state: string }>()).state
  const closesAt = challenge!.submissions_close_at!
  expect([await state(closesAt - 1), await state(closesAt)]).toEqual(['submissions', 'finalists'])
})

test('answers 304 when If-None-Match matches', async () => {
  const { request } = newIsolate()
  for (const path of [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS, ...CACHED_PAGES]) {
    const first = await request(path)
    const etag = first.headers.get('etag') ?? ''
    const again = await request(path, { 'if-none-match': etag })
    expect([path, first.headers.get('cache-control'), again.status, await again.text()]).toEqual([
      path,
      'public, no-cache',
      304,
      '',
    ])
    expect(again.headers.get('etag')).toBe(etag)
  }
})

test('keeps cookies and personal data out of shared responses', async () => {
  const user = await addUser({
    username: 'someone-private',
    email: 'private@fan.example',
    emailKey: 'private@fan.example',
  })
  await runSql(`INSERT INTO track_likes (track_id, user_id, liked_at) VALUES (1, ${user.id}, 0)`)
  await runSql(
    `INSERT INTO poll_votes (poll_id, user_id, option_id, cast_at, counted_at) VALUES ('1', ${user.id}, 'b', 0, 0)`,
  )
  await runSql(`UPDATE users SET leaderboard_opt_out = 1 WHERE id = ${user.id}`)
  await runSql(`INSERT INTO show_goers (concert_id, user_id, is_named, created_at) VALUES ('show-1', ${user.id}, 0, 0)`)
  await runSql(`INSERT INTO check_ins (concert_id, user_id, checked_in_at) VALUES ('show-1', ${user.id}, 0)`)
  const { headers } = await sessionFor(user, NOON)
  const [isolate, otherIsolate] = [newIsolate(), newIsolate()]
  for (const path of [...CACHED_PAGES, ...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS]) {
    // The supporter's response must not be cached for the visitor of the same isolate.
    const ownResponse = await isolate.request(path, headers)
    const shared = await isolate.request(path)
    const text = await shared.text()
    expect([path, text]).toEqual([path, await (await otherIsolate.request(path)).text()])
    expect([path, /someone-private|private@fan/.test(text)]).toEqual([path, false])
    for (const response of [ownResponse, shared]) expect([path, response.headers.getSetCookie()]).toEqual([path, []])
    const isPersonal = CACHED_FOR_VISITORS.includes(path)
    const isPage = CACHED_PAGES.includes(path)
    expect([path, ownResponse.headers.get('cache-control'), ownResponse.headers.get('vary')]).toEqual([
      path,
      isPersonal ? 'private, no-store' : 'public, no-cache',
      isPersonal || isPage ? 'cookie' : null,
    ])
    // A page depends on whether there is a session cookie, never on whose it is.
    const responseForAnySession = isPage ? await otherIsolate.request(path, ANY_SESSION) : shared
    if (!isPersonal)
      expect([path, await ownResponse.text()]).toEqual([path, isPage ? await responseForAnySession.text() : text])
  }
  const likes = async (headers: Record<string, string>) =>
    (await (await isolate.request('/api/tracks', headers)).json<{ liked: boolean }[]>())[0]?.liked
  expect([await likes(headers), await likes({})]).toEqual([true, false])
  const callerFields = async (headers: Record<string, string>) => {
    const { going, checkIn } = await (await isolate.request(SHOW_API_PATH, headers)).json<ShowPage>()
    return [going.me, checkIn.doneAt]
  }
  expect(await callerFields({})).toEqual([null, null])
  expect(await callerFields(headers)).toEqual([{ going: true, named: false }, new Date(0).toISOString()])
})

test('removes a withdrawn attendee name after MAX_UNCHECKED_MS', async () => {
  const { request } = newIsolate()
  const user = await addUser({ username: 'named-goer', email: 'named@fan.example' })
  await runSql(`INSERT INTO show_goers (concert_id, user_id, is_named, created_at) VALUES ('show-1', ${user.id}, 1, 0)`)
  const showsName = async (path: string, at: Millis) =>
    (await (await request(path, {}, at)).text()).includes('named-goer')
  expect([await showsName(SHOW_API_PATH, NOON), await showsName(SHOW_PAGE, NOON)]).toEqual([true, true])
  await runSql(`DELETE FROM show_goers WHERE user_id = ${user.id}`)
  const later = NOON + MAX_UNCHECKED_MS
  expect([await showsName(SHOW_API_PATH, later), await showsName(SHOW_PAGE, later)]).toEqual([false, false])
})

test('answers 404 for removed shows without caching it', async () => {
  const { request, statements } = newIsolate()
  const statuses = async (at: Millis) => [
    (await request(SHOW_API_PATH, {}, at)).status,
    (await request(SHOW_PAGE, {}, at)).status,
  ]
  expect(await statuses(NOON)).toEqual([200, 200])
  await runSql("UPDATE concerts SET removed_at = 1 WHERE id = 'show-1'")
  expect(await statuses(NOON + MAX_UNCHECKED_MS)).toEqual([404, 404])
  await runSql("UPDATE concerts SET removed_at = NULL WHERE id = 'show-1'")
  for (const path of ['/shows/none', '/api/concerts/none']) {
    const missing = await request(path)
    const before = statements.length
    const again = await request(path)
    expect([path, missing.status, again.status, again.headers.get('cache-control')]).toEqual([
      path,
      404,
      404,
      'private, no-store',
    ])
    expect(statements.length).toBeGreaterThan(before)
  }
})

test('all spellings of a URL share one cache entry', async () => {
  const { request, trips } = newIsolate()
  const columns = 'city, venue, address, starts_at, ends_at, price_cents, image_url, image_alt'
  // A path may contain `+` and `;` either percent-encoded or as they are.
  await runSql(
    `INSERT INTO concerts (id, slug, ${columns}) SELECT 'a+b;c', 'a+b;c', ${columns} FROM concerts WHERE id = 'show-1'`,
  )
  for (const [path, spelling] of [
    [SHOW_API_PATH, '/api/concerts/%73how%2D1'],
    ['/api/concerts/a+b;c', '/api/concerts/a%2bb%3Bc'],
    [SHOW_PAGE, '/shows/s%68ow%2d1'],
    ['/shows/a+b;c', '/shows/a%2Bb%3bc'],
  ] as const) {
    const response = await request(path)
    const first = await response.text()
    const before = trips()
    expect([path, response.status]).toEqual([path, 200])
    expect([spelling, await (await request(spelling)).text(), trips() - before]).toEqual([spelling, first, 0])
  }
})
