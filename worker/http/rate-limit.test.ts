import { env } from 'cloudflare:test'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import wrangler from '../../wrangler.toml?raw'
import { limits } from '../limits'
import { statusAndCodeOf, waitForRateWindow } from '../testing/client'
import { addNamedUser, browserWithSession } from '../testing/users'
import type { AppEnv } from './app-env'
import { onError } from './on-error'
import { rateLimit } from './rate-limit'

const app = new Hono<AppEnv>()
app.onError(onError)
app.post('/mail/:id', rateLimit('LIMIT_MAIL'), (c) => c.body(null, 204))
app.post('/login', rateLimit('LIMIT_AUTH'), (c) => c.body(null, 204))
app.post('/write/:id', rateLimit('LIMIT_WRITES'), (c) => c.body(null, 204))

const post = async (path: string, headers: Record<string, string>, bindings: object = env) =>
  app.request(path, { method: 'POST', headers }, bindings)
const statusesOf = async (requests: Promise<Response>[]) => (await Promise.all(requests)).map(({ status }) => status)
const repeat = <T>(length: number, create: (i: number) => T) => Array.from({ length }, (_, i) => create(i))

test('wrangler.toml declares the same limits as limits.ts', () => {
  const declared = [
    ...wrangler.matchAll(/\[\[ratelimits\]\]\s+name = "(\w+)"\s+.*\s+simple = \{ limit = (\d+), period = (\d+) \}/g),
  ]
  expect(declared.map(([, name, limit, period]) => [name, Number(limit), Number(period)])).toEqual([
    ['LIMIT_WRITES', limits.writesPerMinute, 60],
    ['LIMIT_MAIL', limits.emailsPerMinute, 60],
    ['LIMIT_AUTH', limits.authPerMinute, 60],
    ['LIMIT_API', limits.apiRequestsPerMinute, 60],
  ])
  expect(wrangler.match(/\[\[ratelimits\]\]/g)).toHaveLength(declared.length)
  expect(new Set([...wrangler.matchAll(/namespace_id = "(\d+)"/g)].map(([, id]) => id)).size).toBe(declared.length)
})

test('limits requests per IP address', async () => {
  await waitForRateWindow()
  const headers = { 'cf-connecting-ip': '198.51.100.1' }
  expect(await statusesOf(repeat(limits.emailsPerMinute, () => post('/mail/1', headers)))).toEqual(
    repeat(limits.emailsPerMinute, () => 204),
  )
  const limited = await post('/mail/1', headers)
  expect(limited.headers.get('retry-after')).toBe('60')
  expect(await statusAndCodeOf(limited)).toEqual([429, 'rate_limited'])
  expect((await post('/mail/1', { 'cf-connecting-ip': '198.51.100.2' })).status).toBe(204)
})

test('ignores forged forwarding headers', async () => {
  await waitForRateWindow()
  const requests = repeat(limits.emailsPerMinute + 3, (i) =>
    post('/mail/1', {
      'cf-connecting-ip': '198.51.100.3',
      'x-forwarded-for': `203.0.113.${i}`,
      'x-real-ip': `203.0.113.${i}`,
      forwarded: `for=203.0.113.${i}`,
      'true-client-ip': `203.0.113.${i}`,
    }),
  )
  expect((await statusesOf(requests)).filter((status) => status === 429)).toHaveLength(3)
})

test('one limit covers a route’s ids and an IPv6 /64', async () => {
  const requests = repeat(limits.emailsPerMinute + 3, (i) =>
    post(`/mail/${i}`, { 'cf-connecting-ip': `2001:db8:0:1::${i + 1}` }),
  )
  expect((await statusesOf(requests)).filter((status) => status === 429)).toHaveLength(3)
  expect((await post('/mail/1', { 'cf-connecting-ip': '2001:0DB8:0000:0001:0:0:0:99' })).status).toBe(429)
  expect((await post('/mail/1', { 'cf-connecting-ip': '2001:db8:0:2::1' })).status).toBe(204)
})

test('rejects email and log-in requests while the limiter is down', async () => {
  const failingLimiter = { limit: () => Promise.reject(new Error('down')) }
  const bindings = { ...env, LIMIT_MAIL: failingLimiter, LIMIT_WRITES: failingLimiter, LIMIT_AUTH: failingLimiter }
  const requests = ['/mail/1', '/login', '/write/1'].map((path) => post(path, {}, bindings))
  expect(await statusesOf(requests)).toEqual([429, 429, 204])
})

test('an ended session does not use up the account’s limit', async () => {
  await addNamedUser('limited')
  const [browser, endedBrowser] = [await browserWithSession('limited'), await browserWithSession('limited')]
  await browser.send('POST', '/api/auth/logout-everywhere')
  const deletePost = (sender: typeof browser) => sender.send('DELETE', '/api/community/posts/none')
  for (let n = 0; n < limits.writesPerMinute + 1; n++) await deletePost(endedBrowser)
  expect((await deletePost(await browserWithSession('limited'))).status).toBe(404)
})
