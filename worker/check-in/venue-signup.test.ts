import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock'
import { limits } from '../limits'
import { errorOf, send } from '../testing/client'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'
import { readCheckInCode } from './check-in-code'

const BEGINS = NOON + DAY_MS
const HALL = '198.51.99.1'

beforeAll(() => seedSite(env.DB))

/** The cookie of a browser that just scanned. */
async function scanned(at: number) {
  const { code } = await readCheckInCode({ db, secret: env.SIGNING_SECRET }, 'show-1', at)
  const headers = { 'cf-connecting-ip': HALL }
  const answer = await send('POST', '/api/concerts/show-1/arrivals', { code }, { at, headers })
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}
const signUp = (json: unknown, cookie: string, at: number) =>
  send('POST', '/api/auth/signup', json, { at, headers: { 'cf-connecting-ip': HALL, cookie } })
const signedUp = () => env.DB.prepare("SELECT count FROM attempts WHERE key GLOB 'door-signups:*'").first('count')

test('rate-limits sign-ups at a venue per scan', async () => {
  const [mine, theirs, later] = [await scanned(BEGINS), await scanned(BEGINS), await scanned(BEGINS + MINUTE_MS)]
  const crowd = await Promise.all(Array.from({ length: limits.authPerMinute + 5 }, () => signUp({}, '', BEGINS)))
  expect(crowd.filter(({ status }) => status === 429)).toHaveLength(5)
  // Forged, modified and expired cookies share the limit of the IP address.
  for (const [cookie, at] of [
    ['', BEGINS],
    [`${mine}x`, BEGINS],
    [mine.replace('~', '~9'), BEGINS],
    [mine, BEGINS + HOUR_MS],
  ] as const)
    expect((await errorOf(await signUp({}, cookie, at)))[1]).toBe('rate_limited')
  expect(await signedUp()).toBeNull()
  const newcomer = { username: 'newcomer', email: 'newcomer@fan.example', password: 'seven golden lanterns' }
  expect((await signUp(newcomer, mine, BEGINS + HOUR_MS - 1)).status).toBe(201)
  // Only created accounts count, and a cookie does not raise the limit of an address.
  const tries = await Promise.all(Array.from({ length: limits.authPerMinute }, () => signUp({}, mine, BEGINS)))
  expect(tries.map(({ status }) => status).sort()).toEqual([...Array(limits.authPerMinute - 1).fill(400), 429])
  expect(await signedUp()).toBe(1)
  expect((await signUp({}, theirs, BEGINS + HOUR_MS - 1)).status).toBe(400)
  // As after three hundred sign-ups; another code has its own limit.
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'door-signups:*'")
    .bind(limits.maxCheckInsPerCode)
    .run()
  expect((await signUp({}, theirs, BEGINS + HOUR_MS - 1)).status).toBe(429)
  expect((await signUp({}, later, BEGINS + HOUR_MS - 1)).status).toBe(400)
})
