import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '../lib/clock'
import { QUOTAS } from '../quotas/quotas'
import { errorOf, send } from '../testing/client'
import { NOON, seedSite } from '../testing/seed'
import { PASSWORD } from '../testing/users'

beforeAll(() => seedSite(env.DB))

let userCount = 0
const signUp = (address: string, { at = NOON, ...fields }: { at?: number; username?: string } = {}) => {
  const username = `network${++userCount}`
  return send(
    'POST',
    '/api/auth/signup',
    { username, email: `${username}@mail.example`, password: PASSWORD, ...fields },
    {
      at,
      headers: { 'cf-connecting-ip': address },
      env: {
        SIGNUPS_PER_NETWORK_PER_DAY: String(QUOTAS.signupsPerNetwork.max),
        // Disables the limit per minute.
        LIMIT_AUTH: { limit: async () => ({ success: true }) },
      },
    },
  )
}

test.each([
  ['an IPv4 /24', (n: number) => `203.0.113.${n}`, '203.0.114.1'],
  ['an IPv6 /64', (n: number) => `2001:db8:1:1::${n + 1}`, '2001:db8:1:2::1'],
])('allows twenty sign-ups a day from %s', async (_, address, otherNetwork) => {
  const { max } = QUOTAS.signupsPerNetwork
  // A failed sign-up does not count.
  expect((await signUp(address(0), { username: 'x' })).status).toBe(400)
  for (let n = 0; n < max; n++) expect((await signUp(address(n))).status).toBe(201)
  expect(await errorOf(await signUp(address(max)))).toEqual([
    429,
    'rate_limited',
    'Too many accounts were created from this network today. Please try again tomorrow, or from another network.',
  ])
  expect((await signUp(otherNetwork)).status).toBe(201)
  expect((await signUp(address(max), { at: NOON + DAY_MS })).status).toBe(201)
})

test('allows a hundred sign-ups a day from an IPv6 /48', async () => {
  await signUp('2001:db8:48:0::1')
  await env.DB.prepare("UPDATE attempts SET count = ?1 WHERE key GLOB 'signup-site:*' AND count = 1")
    .bind(QUOTAS.signupsPerPrefix48.max - 1)
    .run()
  expect((await signUp('2001:db8:48:1::1')).status).toBe(201)
  expect((await signUp('2001:db8:48:2::1')).status).toBe(429)
  expect((await signUp('2001:db8:49:2::1')).status).toBe(201)
})
