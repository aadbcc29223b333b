import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { errorOf, send } from '../testing/client'

test('health says which store is well', async () => {
  const answer = await send('GET', '/healthz')
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true, d1: true, kv: true, r2: true }])
})

test('a store that fails makes health a 503', async () => {
  const FILES = new Proxy(env.FILES, { get: () => () => Promise.reject(new Error('down')) })
  const answer = await send('GET', '/healthz', undefined, { env: { FILES } })
  expect([answer.status, await answer.json()]).toEqual([503, { ok: false, d1: true, kv: true, r2: false }])
})

test('a site that nobody has set up says so', async () => {
  expect(await errorOf(await send('GET', '/api/config'))).toEqual([
    503,
    'unavailable',
    'This site is not set up yet. Please come back soon.',
  ])
})
