import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { errorOf, send } from '../testing/client'

test('reports the health of each store', async () => {
  const response = await send('GET', '/healthz')
  expect([response.status, await response.json()]).toEqual([200, { ok: true, d1: true, kv: true, r2: true }])
})

test('answers 503 when a store fails', async () => {
  const FILES = new Proxy(env.FILES, { get: () => () => Promise.reject(new Error('down')) })
  const response = await send('GET', '/healthz', undefined, { env: { FILES } })
  expect([response.status, await response.json()]).toEqual([503, { ok: false, d1: true, kv: true, r2: false }])
})

test('answers 503 until the site is set up', async () => {
  expect(await errorOf(await send('GET', '/api/config'))).toEqual([
    503,
    'unavailable',
    'This site is not set up yet. Please try again later.',
  ])
})
