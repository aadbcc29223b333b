import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { callerBinds, revokeSessionStatement } from '../auth/sessions'
import { concerts } from '../concerts/concerts.table'
import { CheckInCode } from '../contract/check-in'
import { POINTS, PointsAward } from '../contract/points'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock'
import { fromBase64url } from '../lib/crypto'
import { totpCode } from '../lib/totp'
import { missions } from '../missions/missions.table'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import { addUser, db, pointsOf, queryPlan } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { cookieHeaderFor, sessionFor, uniqueIp } from '../testing/users'
import { CHECK_IN_SQL, PRECHECK_SQL, RESULT_SQL } from './check-in'
import { readCheckInCode } from './check-in-code'

const SHOW_BEGINS = NOON + 4 * HOUR_MS
const SHOW_ENDS = SHOW_BEGINS + 3 * HOUR_MS
const EXPIRED_CODE = [
  400,
  'bad_input',
  'That code is wrong or has expired. Please enter the one on the screen at the door.',
]
const ALREADY_CHECKED_IN = [409, 'conflict', 'You are already checked in.']

let adminCookie = ''
beforeAll(async () => {
  await seedSite(env.DB, { show: { startsAt: SHOW_BEGINS, endsAt: SHOW_ENDS } })
  adminCookie = await cookieHeaderFor('administrator')
  await db
    .insert(missions)
    .values({ id: 'door', title: 'Door', description: '', points: 7, action: 'check_in', target: 1, position: 1 })
  const [first] = await db.select().from(concerts)
  await db.insert(concerts).values(['show-2', 'show-3', 'show-4', 'show-5'].map((id) => ({ ...first!, id, slug: id })))
})

async function newSupporter() {
  const user = await addUser({ createdAt: NOON })
  // Each test user has their own IP address.
  const headers = { ...(await sessionFor(user, SHOW_BEGINS)).headers, 'cf-connecting-ip': uniqueIp() }
  const request = (method: string, path: string, json?: unknown, at = SHOW_BEGINS, extraHeaders = {}) =>
    send(method, path, json, { at, headers: { ...headers, ...extraHeaders } })
  const checkIn = (json: unknown, at = SHOW_BEGINS, id = 'show-1', extraHeaders = {}) =>
    request('POST', `/api/concerts/${id}/check-in`, json, at, extraHeaders)
  const points = () => pointsOf(user.id)
  return { user, request, checkIn, points }
}

const readCode = (at = SHOW_BEGINS, id = 'show-1') => readCheckInCode({ db, secret: env.SIGNING_SECRET }, id, at)
const wrongCodeFor = (code: string) => (code === '000000' ? '111111' : '000000')
const codeOf = async (at = SHOW_BEGINS, id = 'show-1') => (await readCode(at, id)).code

test('shows the current code and the secret for offline use', async () => {
  const path = '/api/admin/concerts/show-1/check-in-code'
  const current = await getJson<CheckInCode>(path, {
    at: SHOW_BEGINS + 12 * SECOND_MS,
    headers: { cookie: adminCookie },
  })
  expect(CheckInCode.parse(current)).toEqual(current)
  expect(current).toMatchObject({
    code: expect.stringMatching(/^\d{6}$/),
    expiresAt: new Date(SHOW_BEGINS + 30 * SECOND_MS).toISOString(),
    now: new Date(SHOW_BEGINS + 12 * SECOND_MS).toISOString(),
    opensAt: new Date(SHOW_BEGINS - 2 * HOUR_MS).toISOString(),
    closesAt: new Date(SHOW_ENDS + HOUR_MS).toISOString(),
  })
  // Ten minutes offline: secret and clock produce the valid code.
  const later = SHOW_BEGINS + 10 * MINUTE_MS
  const offlineCode = await totpCode(fromBase64url(current.secret), Math.floor(later / 1000 / current.stepSeconds))
  expect(offlineCode).toBe(await codeOf(later))
  expect((await (await newSupporter()).checkIn({ code: offlineCode }, later)).status).toBe(200)
})

test('awards points and missions once for a code', async () => {
  const supporter = await newSupporter()
  const response = await supporter.checkIn({ code: await codeOf() })
  const earned = PointsAward.parse(await response.json())
  expect(earned).toEqual({
    pointsAwarded: POINTS.check_in,
    totalPoints: 257,
    missions: [{ id: 'door', title: 'Door', points: 7 }],
  })
  expect(POINTS.check_in).toBe(250)
  for (const code of [await codeOf(), '000000'])
    expect(await errorOf(await supporter.checkIn({ code }))).toEqual(ALREADY_CHECKED_IN)
  expect(await supporter.points()).toBe(257)
  const [{ description } = { description: '' }] = (await (
    await supporter.request('GET', '/api/points/history')
  ).json()) as {
    description: string
  }[]
  expect(description).toContain('Door')
})

test('accepts codes of the current and adjacent steps', async () => {
  const firstCode = await codeOf()
  const at = (seconds: number) => SHOW_BEGINS + seconds * SECOND_MS
  const statuses: [number, number][] = []
  for (const seconds of [-31, -30, 29, 59, 60, 61, 90])
    statuses.push([seconds, (await (await newSupporter()).checkIn({ code: firstCode }, at(seconds))).status])
  expect(statuses).toEqual([
    [-31, 400],
    [-30, 200],
    [29, 200],
    [59, 200],
    [60, 400],
    [61, 400],
    [90, 400],
  ])
  expect(await errorOf(await (await newSupporter()).checkIn({ code: firstCode }, at(60)))).toEqual(EXPIRED_CODE)
})

test('opens two hours before the show, closes one after', async () => {
  const statusAt = async (at: number) => {
    const response = await (await newSupporter()).checkIn({ code: await codeOf(at) }, at)
    return response.status === 200 ? 200 : errorOf(response)
  }
  const [opensAt, closesAt] = [SHOW_BEGINS - 2 * HOUR_MS, SHOW_ENDS + HOUR_MS]
  const notOpenError = [410, 'closed', 'Check-in has not opened yet.']
  const overError = [410, 'closed', 'Check-in for this show is over.']
  expect(await statusAt(opensAt - 1)).toEqual(notOpenError)
  expect(await statusAt(opensAt)).toBe(200)
  expect(await statusAt(closesAt - 1)).toBe(200)
  expect(await statusAt(closesAt)).toEqual(overError)
  expect(await statusAt(SHOW_BEGINS - DAY_MS)).toEqual(notOpenError)
  expect(await statusAt(SHOW_BEGINS + DAY_MS)).toEqual(overError)
})

test('counts no attempts while check-in is closed', async () => {
  const supporter = await newSupporter()
  const opensAt = SHOW_BEGINS - 2 * HOUR_MS
  for (let n = 0; n <= QUOTAS.checkInCodesPerAccount.max; n++)
    expect((await supporter.checkIn({ code: await codeOf(opensAt - 1) }, opensAt - 1)).status).toBe(410)
  expect((await supporter.checkIn({ code: await codeOf(opensAt) }, opensAt)).status).toBe(200)
})

test('counts no attempts after checking in', async () => {
  const supporter = await newSupporter()
  const countAttempts = () =>
    env.DB.prepare("SELECT total(count) AS n FROM attempts WHERE key GLOB 'door:*'").first('n')
  await supporter.checkIn({ code: await codeOf() })
  const before = await countAttempts()
  for (let n = 0; n <= QUOTAS.checkInCodesPerAccount.max; n++)
    expect(await errorOf(await supporter.checkIn({ code: '000000' }))).toEqual(ALREADY_CHECKED_IN)
  expect(await countAttempts()).toBe(before)
})

test('rejects foreign and malformed codes and unknown shows', async () => {
  const supporter = await newSupporter()
  expect(await errorOf(await supporter.checkIn({ code: await codeOf(SHOW_BEGINS, 'show-2') }))).toEqual(EXPIRED_CODE)
  for (const json of [
    {},
    { code: 'abcdef' },
    { code: '12345' },
    { code: 123456 },
    { code: null },
    { code: ['123456'] },
    { code: '123456', arrivalToken: 'x' },
    { code: '123456', at: 1 },
  ])
    expect(await statusAndCodeOf(await supporter.checkIn(json))).toEqual([400, 'bad_input'])
  for (const id of ['none', '-1', '__proto__', '%00'])
    expect(await errorOf(await supporter.checkIn({ code: '123456' }, SHOW_BEGINS, id))).toEqual([
      404,
      'not_found',
      'That show does not exist.',
    ])
  expect((await supporter.checkIn({ code: (await codeOf()).replace(/^(...)/, ' $1 ') })).status).toBe(200)
})

test('rejects visitors and banned accounts', async () => {
  const code = await codeOf()
  const visitor = await send('POST', '/api/concerts/show-1/check-in', { code }, { at: SHOW_BEGINS })
  expect(await errorOf(visitor)).toEqual([401, 'signed_out', 'Please sign up or login to check in'])
  const supporter = await newSupporter()
  await env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(supporter.user.id).run()
  expect((await errorOf(await supporter.checkIn({ code })))[0]).toBe(403)
  expect(await supporter.points()).toBe(0)
})

test('records one of fifty concurrent check-ins', async () => {
  const supporter = await newSupporter()
  const code = await codeOf()
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => supporter.checkIn({ code })))).map(
    ({ status }) => status,
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.every((status) => [200, 409, 429].includes(status))).toBe(true)
  expect(await supporter.points()).toBe(257)
})

test('blocks after ten wrong codes for 15 minutes', async () => {
  const supporter = await newSupporter()
  const right = await codeOf(SHOW_BEGINS, 'show-2')
  const wrong = right === '123456' ? '654321' : '123456'
  const statuses = []
  for (let n = 0; n < QUOTAS.checkInCodesPerAccount.max; n++)
    statuses.push(
      (await supporter.checkIn({ code: wrong }, SHOW_BEGINS, 'show-2', { 'cf-connecting-ip': uniqueIp() })).status,
    )
  expect(statuses).toEqual(statuses.map(() => 400))
  const blocked = await supporter.checkIn({ code: right }, SHOW_BEGINS, 'show-2', { 'cf-connecting-ip': uniqueIp() })
  expect([blocked.status, blocked.headers.get('retry-after')]).toEqual([429, '900'])
  const later = SHOW_BEGINS + 15 * MINUTE_MS
  expect((await supporter.checkIn({ code: await codeOf(later, 'show-2') }, later, 'show-2')).status).toBe(200)
})

test('counts no attempts of a revoked session', async () => {
  const user = await addUser({ createdAt: NOON })
  const [endedSession, openSession] = [await sessionFor(user, SHOW_BEGINS), await sessionFor(user, SHOW_BEGINS)]
  await revokeSessionStatement(db, endedSession.session).run()
  const checkIn = (headers: Record<string, string>, code: string) =>
    send('POST', '/api/concerts/show-4/check-in', { code }, { at: SHOW_BEGINS, headers: { ...headers, ...ipHeader } })
  const ipHeader = { 'cf-connecting-ip': uniqueIp() }
  const responses = await Promise.all(
    Array.from({ length: QUOTAS.checkInCodesPerAccount.max + 1 }, () => checkIn(endedSession.headers, '000000')),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]))
  expect((await checkIn(openSession.headers, await codeOf(SHOW_BEGINS, 'show-4'))).status).toBe(200)
})

test.each([
  ['an IPv4 /24', (n: number) => `192.0.2.${n}`],
  ['an IPv6 /48', (n: number) => `2001:db8:9:${n}::1`],
])('limits the guesses of visitors in %s, not of accounts', async (_, addressOf) => {
  const { max, windowMs } = QUOTAS.checkInGuessesByVisitors
  await env.DB.prepare('DELETE FROM attempts').run()
  const code = await codeOf(SHOW_BEGINS, 'show-3')
  const wrongCode = wrongCodeFor(code)
  const scan = (given: string, n: number, at = SHOW_BEGINS) =>
    send(
      'POST',
      '/api/concerts/show-3/arrivals',
      { code: given },
      { at, headers: { 'cf-connecting-ip': addressOf(n) } },
    )
  const countGuesses = () => env.DB.prepare("SELECT count FROM attempts WHERE key GLOB 'door-guess:*'").first('count')
  const supporter = await newSupporter()
  expect(
    (await supporter.checkIn({ code: wrongCode }, SHOW_BEGINS, 'show-3', { 'cf-connecting-ip': addressOf(0) })).status,
  ).toBe(400)
  expect(await countGuesses()).toBeNull()
  // A whole venue scans at the same time.
  const scans = await Promise.all(Array.from({ length: 60 }, (_, n) => scan(code, n)))
  expect(new Set(scans.map(({ status }) => status))).toEqual(new Set([200]))
  for (let n = 0; n < max; n++) expect((await scan(wrongCode, n)).status).toBe(400)
  for (let n = 0; n < 3; n++)
    expect(await errorOf(await scan(code, n))).toEqual([
      429,
      'rate_limited',
      'Too many wrong codes from this network. Please log in or sign up, then enter the code shown at the door.',
    ])
  // Further attempts write nothing and do not extend the block.
  expect(await countGuesses()).toBe(max)
  const later = SHOW_BEGINS + windowMs
  expect((await scan(await codeOf(later, 'show-3'), 1, later)).status).toBe(200)
  expect((await supporter.checkIn({ code }, SHOW_BEGINS, 'show-3', { 'cf-connecting-ip': addressOf(0) })).status).toBe(
    200,
  )
})

test('checks thirty of many concurrent guesses by visitors', async () => {
  await env.DB.prepare('DELETE FROM attempts').run()
  const code = await codeOf(SHOW_BEGINS, 'show-3')
  const wrongCode = wrongCodeFor(code)
  const headers = { 'cf-connecting-ip': uniqueIp() }
  const responses = await Promise.all(
    Array.from({ length: 200 }, () =>
      send('POST', '/api/concerts/show-3/arrivals', { code: wrongCode }, { at: SHOW_BEGINS, headers }),
    ),
  )
  const checked = responses.filter(({ status }) => status === 400).length
  expect(checked).toBe(QUOTAS.checkInGuessesByVisitors.max)
  expect(responses.length - checked).toBe(responses.filter(({ status }) => status === 429).length)
})

test('checks ten of many concurrent guesses by an account', async () => {
  const supporter = await newSupporter()
  const code = await codeOf(SHOW_BEGINS, 'show-3')
  const wrongCode = wrongCodeFor(code)
  const headers = { 'cf-connecting-ip': uniqueIp() }
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => supporter.checkIn({ code: wrongCode }, SHOW_BEGINS, 'show-3', headers)),
  )
  const { max } = QUOTAS.checkInCodesPerAccount
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(max)
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(30 - max)
})

test('limits concurrent accounts to a network’s remaining guesses', async () => {
  await env.DB.prepare('DELETE FROM attempts').run()
  const headers = { 'cf-connecting-ip': '2001:db8:b:1::1' }
  const code = await codeOf(SHOW_BEGINS, 'show-3')
  const wrongCode = wrongCodeFor(code)
  const supporters = await Promise.all(Array.from({ length: 20 }, newSupporter))
  // The first guess creates the counter, which is then set to five below the limit.
  await supporters[0]!.checkIn({ code: wrongCode }, SHOW_BEGINS, 'show-3', headers)
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'door-guess-accounts:*'")
    .bind(QUOTAS.checkInGuessesByAccounts.max - 5)
    .run()
  const responses = await Promise.all(
    supporters.map((supporter) => supporter.checkIn({ code: wrongCode }, SHOW_BEGINS, 'show-3', headers)),
  )
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(5)
})

test('limits the guesses of a network’s accounts together', async () => {
  const headers = { 'cf-connecting-ip': '2001:db8:a:1::1' }
  const code = await codeOf(SHOW_BEGINS, 'show-3')
  const wrongCode = wrongCodeFor(code)
  await (await newSupporter()).checkIn({ code: wrongCode }, SHOW_BEGINS, 'show-3', headers)
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'door-guess-accounts:*'")
    .bind(QUOTAS.checkInGuessesByAccounts.max)
    .run()
  const neighborHeaders = { 'cf-connecting-ip': '2001:db8:a:2::1' }
  expect(
    (await errorOf(await (await newSupporter()).checkIn({ code }, SHOW_BEGINS, 'show-3', neighborHeaders)))[1],
  ).toBe('rate_limited')
  expect((await (await newSupporter()).checkIn({ code }, SHOW_BEGINS, 'show-3')).status).toBe(200)
})

test('invalidates old codes when the secret is replaced', async () => {
  const old = await codeOf(SHOW_BEGINS, 'show-4')
  const path = '/api/admin/concerts/show-4/check-in-code/renew'
  const renew = () => send('POST', path, undefined, { at: SHOW_BEGINS, headers: { cookie: adminCookie } })
  const fresh = CheckInCode.parse(await (await renew()).json())
  expect(fresh.code).not.toBe(old)
  expect(await errorOf(await (await newSupporter()).checkIn({ code: old }, SHOW_BEGINS, 'show-4'))).toEqual(
    EXPIRED_CODE,
  )
  expect((await (await newSupporter()).checkIn({ code: fresh.code }, SHOW_BEGINS, 'show-4')).status).toBe(200)
  await renew()
  const { results } = await env.DB.prepare("SELECT subject FROM audit_log WHERE action = 'door.renewed'").all()
  expect(results).toEqual([{ subject: 'concert:show-4' }, { subject: 'concert:show-4' }])
})

test('stores no check-in secret', async () => {
  const { secret } = await readCode(SHOW_BEGINS, 'show-4')
  const { results } = await env.DB.prepare('SELECT * FROM show_doors').all()
  // The test before this one replaced the secret twice.
  expect(results).toEqual([{ concert_id: 'show-4', version: 2 }])
  expect(fromBase64url(secret)).toHaveLength(32)
})

test('counts check-ins and attendees who are not banned', async () => {
  const headers = { cookie: adminCookie }
  const countArrivals = () => getJson('/api/admin/concerts/show-5/arrivals', { at: SHOW_BEGINS, headers })
  expect(await countArrivals()).toEqual({ arrived: 0, going: 0 })
  const [first, second] = [await newSupporter(), await newSupporter()]
  await first.request('POST', '/api/concerts/show-5/going', { named: false }, SHOW_BEGINS)
  for (const supporter of [first, second])
    await supporter.checkIn({ code: await codeOf(SHOW_BEGINS, 'show-5') }, SHOW_BEGINS, 'show-5')
  expect(await countArrivals()).toEqual({ arrived: 2, going: 1 })
  const banned = await newSupporter()
  await banned.request('POST', '/api/concerts/show-5/going', { named: false }, SHOW_BEGINS)
  expect(await countArrivals()).toEqual({ arrived: 2, going: 2 })
  await env.DB.prepare('UPDATE users SET banned_at = 1 WHERE id = ?1').bind(banned.user.id).run()
  expect(await countArrivals()).toEqual({ arrived: 2, going: 1 })
})

test('reads check-ins and scans by index', async () => {
  const binds = [...callerBinds(null), 'show-1']
  const checkInStatement = { sql: CHECK_IN_SQL, params: [...binds, NOON, 'arrival_0_1_x', 'arrival_0_1', 300] }
  expect((await queryPlan(checkInStatement)).join('\n')).toContain(
    'check_ins_arrival_id_unique (arrival_id>? AND arrival_id<?)',
  )
  for (const statement of [
    { sql: PRECHECK_SQL, params: binds },
    checkInStatement,
    { sql: RESULT_SQL, params: [...binds, NOON, null] },
  ])
    expect((await queryPlan(statement)).join('\n')).not.toMatch(
      /SCAN (c|check_ins|users|ledger|entry|act|award|show_doors)\b/,
    )
})
