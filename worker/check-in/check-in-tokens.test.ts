import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { concerts } from '../concerts/concerts.table'
import { CheckInToken } from '../contract/check-in'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../lib/clock'
import { sha256, signValue } from '../lib/crypto'
import { limits } from '../limits'
import { errorOf, send, statusAndCodeOf } from '../testing/client'
import { addUser, db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { sessionFor, uniqueIp } from '../testing/users'
import { readCheckInCode, rotateCheckInSecret } from './check-in-code'

const SHOW_BEGINS = NOON + DAY_MS
const EXPIRED_SCAN = [400, 'bad_token', 'That scan is no longer valid. Please scan the code at the door again.']
const secret = env.SIGNING_SECRET

beforeAll(async () => {
  await seedSite(env.DB)
  const [first] = await db.select().from(concerts)
  await db.insert(concerts).values(['show-2', 'show-3'].map((id) => ({ ...first!, id, slug: id })))
})
let address = ''
beforeEach(() => {
  address = uniqueIp()
})

const codeOf = async (at: Millis, id = 'show-1') => (await readCheckInCode({ db: openDb(env.DB), secret }, id, at)).code
const sendScan = (json: unknown, at: Millis, id = 'show-1', cookie = '') =>
  send('POST', `/api/concerts/${id}/arrivals`, json, { at, headers: { 'cf-connecting-ip': address, cookie } })
type Scanned = { arrivalToken: string; cookie: string }
/** Scans the code, in a new browser unless a cookie is given. */
async function scanInBrowser(at: Millis, id = 'show-1', browserCookie = '') {
  const response = await sendScan({ code: await codeOf(at, id) }, at, id, browserCookie)
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { ...CheckInToken.parse(await response.json()), cookie }
}
/** Signs up a user, and returns a function that redeems scans made in the same browser. */
async function newRedeemer(createdAt: Millis) {
  const { headers } = await sessionFor(await addUser({ createdAt }), createdAt)
  return ({ arrivalToken, cookie }: Scanned, at: Millis, id = 'show-1') =>
    send(
      'POST',
      `/api/concerts/${id}/check-in`,
      { arrivalToken },
      { at, headers: { ...headers, cookie: `${headers.cookie}; ${cookie}` } },
    )
}

test('redeems a visitor’s scan once after sign-up', async () => {
  const scan = await scanInBrowser(SHOW_BEGINS)
  expect(scan.expiresAt).toBe(new Date(SHOW_BEGINS + 30 * MINUTE_MS).toISOString())
  const [redeem, redeemByFriend] = [
    await newRedeemer(SHOW_BEGINS + 5 * MINUTE_MS),
    await newRedeemer(SHOW_BEGINS + 5 * MINUTE_MS),
  ]
  const response = await redeem(scan, SHOW_BEGINS + 6 * MINUTE_MS)
  expect(await response.json()).toMatchObject({ pointsAwarded: 250, totalPoints: 250 })
  expect(await statusAndCodeOf(await redeem(scan, SHOW_BEGINS + 7 * MINUTE_MS))).toEqual([409, 'conflict'])
  expect(await errorOf(await redeemByFriend(scan, SHOW_BEGINS + 7 * MINUTE_MS))).toEqual([
    400,
    'bad_token',
    'That scan has already been used. Please scan the code at the door again.',
  ])
})

test('redeems a shared scan once under concurrency', async () => {
  const scan = await scanInBrowser(SHOW_BEGINS)
  const redeemers = await Promise.all(Array.from({ length: 20 }, () => newRedeemer(SHOW_BEGINS)))
  const statuses = (await Promise.all(redeemers.map((redeem) => redeem(scan, SHOW_BEGINS)))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 400)])
})

test('expires a scan 30 minutes after scan or sign-up', async () => {
  const scan = await scanInBrowser(SHOW_BEGINS)
  const after = (minutes: number) => SHOW_BEGINS + minutes * MINUTE_MS
  const [redeemByEarlyUser, redeemByLateUser, redeemByTimelyUser] = [
    await newRedeemer(NOON),
    await newRedeemer(after(31)),
    await newRedeemer(after(20)),
  ]
  expect(await errorOf(await redeemByEarlyUser(scan, after(30) + 1))).toEqual(EXPIRED_SCAN)
  expect(await errorOf(await redeemByLateUser(scan, after(32)))).toEqual(EXPIRED_SCAN)
  expect(await errorOf(await redeemByTimelyUser(scan, after(50) + 1))).toEqual(EXPIRED_SCAN)
  expect((await redeemByTimelyUser(scan, after(50))).status).toBe(200)
  const again = await scanInBrowser(SHOW_BEGINS)
  expect((await redeemByEarlyUser(again, after(30))).status).toBe(200)
})

test('redeems a timely scan after check-in closed', async () => {
  const last = SHOW_BEGINS + 4 * HOUR_MS - 1
  const scan = await scanInBrowser(last)
  expect((await (await newRedeemer(last))(scan, last + 10 * MINUTE_MS)).status).toBe(200)
})

test('rejects forged, modified and foreign tokens', async () => {
  const { arrivalToken, cookie } = await scanInBrowser(SHOW_BEGINS)
  const redeem = await newRedeemer(SHOW_BEGINS)
  const cookieHash = await sha256(cookie.slice(cookie.indexOf('=') + 1))
  const value = `arrival_x:${SHOW_BEGINS}:0:${cookieHash}:show-1`
  for (const token of [
    '',
    'x',
    value,
    `${value}.${'A'.repeat(43)}`,
    await signValue(secret, 'unsubscribe', value),
    await signValue(`${secret}x`, 'arrival', value),
    arrivalToken.replace('show-1', 'show-2'),
    arrivalToken.slice(0, -2),
    await signValue(secret, 'arrival', `arrival_x:${SHOW_BEGINS + DAY_MS}:0:${cookieHash}:show-1`),
    await signValue(secret, 'arrival', `arrival_x:${SHOW_BEGINS}:show-1`),
  ])
    expect(await errorOf(await redeem({ arrivalToken: token, cookie }, SHOW_BEGINS))).toEqual(EXPIRED_SCAN)
  expect(await errorOf(await redeem({ arrivalToken, cookie }, SHOW_BEGINS, 'show-2'))).toEqual(EXPIRED_SCAN)
  expect(await statusAndCodeOf(await redeem({ arrivalToken: 'x'.repeat(501), cookie }, SHOW_BEGINS))).toEqual([
    400,
    'bad_input',
  ])
  expect((await redeem({ arrivalToken, cookie }, SHOW_BEGINS)).status).toBe(200)
})

test('accepts a scan only in its own browser', async () => {
  const [scan, otherScan] = [await scanInBrowser(SHOW_BEGINS), await scanInBrowser(SHOW_BEGINS)]
  expect(scan.cookie).toMatch(/^__Host-arrival=[\w-]{43}~\d+~[\w-]{43}\.[\w-]{43}$/)
  expect(scan.arrivalToken).not.toContain(scan.cookie.slice('__Host-arrival='.length))
  const redeemByFriend = await newRedeemer(SHOW_BEGINS)
  for (const cookie of ['', '__Host-arrival=', otherScan.cookie])
    expect(await errorOf(await redeemByFriend({ ...scan, cookie }, SHOW_BEGINS))).toEqual([
      400,
      'bad_token',
      'This only works in the browser that scanned the code. Please scan the code at the door again.',
    ])
  // A second scan in the same browser keeps the first one valid.
  const again = await scanInBrowser(SHOW_BEGINS + MINUTE_MS, 'show-1', scan.cookie)
  expect(again.cookie).toBe(scan.cookie)
  expect((await redeemByFriend(scan, SHOW_BEGINS + MINUTE_MS)).status).toBe(200)
  expect((await (await newRedeemer(NOON))(again, SHOW_BEGINS + MINUTE_MS)).status).toBe(200)
})

test('revokes scans when the secret is replaced', async () => {
  const scan = await scanInBrowser(SHOW_BEGINS, 'show-2')
  await rotateCheckInSecret(
    { db: openDb(env.DB), secret },
    { id: 'show-2', actorId: (await addUser()).id, at: SHOW_BEGINS },
  )
  expect(await errorOf(await (await newRedeemer(SHOW_BEGINS))(scan, SHOW_BEGINS, 'show-2'))).toEqual(EXPIRED_SCAN)
  const fresh = await scanInBrowser(SHOW_BEGINS, 'show-2')
  expect((await (await newRedeemer(SHOW_BEGINS))(fresh, SHOW_BEGINS, 'show-2')).status).toBe(200)
})

/** Inserts check-ins redeemed with scans of the same code as `scanned`. */
async function insertCheckIns(count: number, scanned: Scanned, id: string) {
  const [, codePrefix = ''] = /^(arrival_\d+_\d+_)/.exec(scanned.arrivalToken) ?? []
  const numbersSql = 'WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)'
  const name = "'visitor of ' || ?2 || n"
  await env.DB.batch([
    env.DB.prepare(
      `${numbersSql} INSERT INTO users (username, username_key, created_at, last_active_at) SELECT ${name}, ${name}, 0, 0 FROM n`,
    ).bind(count, id),
    env.DB.prepare(
      `${numbersSql} INSERT INTO check_ins (concert_id, user_id, checked_in_at, arrival_id)
       SELECT ?2, users.id, 0, ?3 || n FROM n JOIN users ON username_key = ${name}`,
    ).bind(count, id, codePrefix),
  ])
}

test('limits check-ins per code', async () => {
  const at = SHOW_BEGINS + HOUR_MS
  // Scans are not limited, check-ins are.
  const [first, second] = [await scanInBrowser(at), await scanInBrowser(at)]
  const redeemers = await Promise.all(Array.from({ length: 4 }, () => newRedeemer(at)))
  await insertCheckIns(limits.maxCheckInsPerCode - 1, first, 'show-1')
  const responses = await Promise.all([first, second].map((scan, n) => redeemers[n]!(scan, at)))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(await errorOf(responses.find(({ status }) => status === 400)!)).toEqual([
    400,
    'bad_token',
    'That code has been used too often. Please enter the one on the screen at the door.',
  ])
  // The limit does not apply to codes that supporters enter.
  const { headers } = await sessionFor(await addUser(), at)
  const json = { code: await codeOf(at) }
  expect((await send('POST', '/api/concerts/show-1/check-in', json, { at, headers })).status).toBe(200)
  expect((await redeemers[2]!(await scanInBrowser(at + 30_000), at + 30_000)).status).toBe(200)
  // The code of another show at the same time has its own limit.
  expect((await redeemers[3]!(await scanInBrowser(at, 'show-3'), at, 'show-3')).status).toBe(200)
})

test('counts no network attempts while check-in is closed', async () => {
  expect((await errorOf(await sendScan({ code: '000000' }, NOON)))[1]).toBe('closed')
  const attemptCount = await env.DB.prepare("SELECT count(*) AS n FROM attempts WHERE key GLOB 'door-guess:*'").first(
    'n',
  )
  expect((await errorOf(await sendScan({ code: '000000' }, SHOW_BEGINS)))[1]).toBe('bad_input')
  expect(await env.DB.prepare("SELECT count(*) AS n FROM attempts WHERE key GLOB 'door-guess:*'").first('n')).toBe(
    Number(attemptCount) + 1,
  )
})

test('rejects scans outside the window or with wrong codes', async () => {
  expect((await errorOf(await sendScan({ code: await codeOf(NOON) }, NOON)))[1]).toBe('closed')
  expect((await errorOf(await sendScan({ code: await codeOf(SHOW_BEGINS, 'show-2') }, SHOW_BEGINS)))[1]).toBe(
    'bad_input',
  )
  expect((await errorOf(await sendScan({ code: await codeOf(SHOW_BEGINS) }, SHOW_BEGINS + MINUTE_MS)))[1]).toBe(
    'bad_input',
  )
  expect((await errorOf(await sendScan({ code: '123456' }, SHOW_BEGINS, 'none')))[1]).toBe('not_found')
})

const signUp = (json: unknown, cookie: string, at: number) =>
  send('POST', '/api/auth/signup', json, { at, headers: { 'cf-connecting-ip': address, cookie } })
const countSignUps = () => env.DB.prepare("SELECT count FROM attempts WHERE key GLOB 'door-signups:*'").first('count')

test('rate-limits sign-ups at a venue per scan and code', async () => {
  const [ownCookie, otherCookie, laterCookie] = [
    (await scanInBrowser(SHOW_BEGINS)).cookie,
    (await scanInBrowser(SHOW_BEGINS)).cookie,
    (await scanInBrowser(SHOW_BEGINS + MINUTE_MS)).cookie,
  ]
  const attempts = await Promise.all(
    Array.from({ length: limits.authPerMinute + 5 }, () => signUp({}, '', SHOW_BEGINS)),
  )
  expect(attempts.filter(({ status }) => status === 429)).toHaveLength(5)
  // Forged, modified and expired cookies share the limit of the IP address.
  for (const [cookie, at] of [
    ['', SHOW_BEGINS],
    [`${ownCookie}x`, SHOW_BEGINS],
    [ownCookie.replace('~', '~9'), SHOW_BEGINS],
    [ownCookie, SHOW_BEGINS + HOUR_MS],
  ] as const)
    expect((await errorOf(await signUp({}, cookie, at)))[1]).toBe('rate_limited')
  expect(await countSignUps()).toBeNull()
  const newcomer = { username: 'newcomer', email: 'newcomer@fan.example', password: 'seven golden lanterns' }
  expect((await signUp(newcomer, ownCookie, SHOW_BEGINS + HOUR_MS - 1)).status).toBe(201)
  // Each cookie has a rate limit of its own. The limit of the code counts created accounts only.
  const responses = await Promise.all(
    Array.from({ length: limits.authPerMinute }, () => signUp({}, ownCookie, SHOW_BEGINS)),
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(limits.authPerMinute - 1).fill(400), 429])
  expect(await countSignUps()).toBe(1)
  expect((await signUp({}, otherCookie, SHOW_BEGINS + HOUR_MS - 1)).status).toBe(400)
  // As if the sign-ups with this code had reached their limit; another code has its own limit.
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'door-signups:*'")
    .bind(limits.maxCheckInsPerCode)
    .run()
  expect((await signUp({}, otherCookie, SHOW_BEGINS + HOUR_MS - 1)).status).toBe(429)
  expect((await signUp({}, laterCookie, SHOW_BEGINS + HOUR_MS - 1)).status).toBe(400)
})
