import { beforeAll, expect, test } from 'vitest'
import { endpoints } from '../contract/index'
import { fillPath, send } from '../testing/client'
import { fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'

beforeAll(loadFixtures)

const publicReads = endpoints
  .filter(({ method, auth }) => method === 'GET' && auth === 'visitor')
  .map(({ path }) => path)

/** Public endpoints without caching, and why. */
const UNCACHED: Record<string, string> = {
  '/healthz': 'current health',
  '/api/oembed': 'needs a query',
  '/favicon.ico': 'redirects',
  '/apple-touch-icon.png': 'redirects',
  '/api/auth/status': 'depends on the session',
  '/api/auth/google': 'redirects',
  '/api/auth/google/callback': 'redirects',
  '/api/orders/:id': 'requires a secret',
  '/api/orders/:id/downloads': 'requires a secret',
  '/api/downloads/:token': 'requires a signed link',
  '/api/newsletter/unsubscribe': 'redirects',
  '/api/demo/outbox': 'demo only',
  '/api/demo/mail/:id': 'demo only',
}

test('answers 304 to a matching If-None-Match', async () => {
  const uncached: string[] = []
  for (const path of [
    ...publicReads,
    '/',
    '/subscribe',
    '/privacy-policy',
    '/shows',
    '/shows/:show',
    '/merch',
    '/merch/:product',
  ]) {
    const url = fillPath(path, fixtureParams(path))
    const first = await send('GET', url, undefined, { at: NOON })
    await first.arrayBuffer()
    const etag = first.headers.get('etag')
    if (!etag) {
      uncached.push(path)
      continue
    }
    const revalidated = await send('GET', url, undefined, { at: NOON, headers: { 'if-none-match': etag } })
    expect([path, first.status, revalidated.status, await revalidated.text()]).toEqual([path, 200, 304, ''])
  }
  expect(uncached.sort()).toEqual(Object.keys(UNCACHED).sort())
})

test('does not cache community reads with a cookie', async () => {
  for (const path of ['/api/community/posts', '/api/community/exclusive']) {
    const response = await send('GET', path, undefined, { at: NOON, headers: { cookie: 'any=thing' } })
    const { headers } = response
    expect([path, headers.get('cache-control'), headers.get('vary'), headers.get('etag')]).toEqual([
      path,
      'private, no-store',
      'cookie',
      null,
    ])
    await response.arrayBuffer()
  }
})
