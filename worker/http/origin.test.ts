import { createExecutionContext, env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { createApp } from '../app'
import { errorOf, fillPath, ORIGIN, send, servedRoutes, servedWriteRoutes, statusAndCodeOf } from '../testing/client'
import { isLongRun } from '../testing/fixtures'

const bodies = {
  'application/json': '{}',
  'application/x-www-form-urlencoded': 'a=1',
  'text/plain': '{}',
  'application/octet-stream': '{}',
  none: undefined,
}
/** Headers of cross-origin requests, and of one without any information about its origin (`{}`). */
const crossOriginHeaders: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: `${ORIGIN}.evil.example` },
  { origin: ORIGIN.replace('https', 'http') },
  { origin: `${ORIGIN}:8443` },
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
]

/** Routes that accept POST from any origin: they are signed, carry a token, or ignore cookies. */
const EXEMPT_PATHS = [
  '/api/webhooks/stripe',
  '/api/webhooks/resend',
  '/api/newsletter/unsubscribe',
  '/api/embed/stream',
]

const app = createApp()
const request = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  app.fetch(new Request(ORIGIN + path, { method, headers, body }), env, createExecutionContext())

test.each(crossOriginHeaders.map((headers) => [headers]))('rejects writes with %j', async (headers) => {
  const paths = [...servedWriteRoutes(), { method: 'POST', path: '/' }, { method: 'DELETE', path: '/api/unknown' }]
  // The first headers (at full size, all) are sent with every body, the others with none and with a form.
  const withEveryBody = isLongRun || headers === crossOriginHeaders[0]
  const types = Object.entries(bodies).filter(
    ([type]) => withEveryBody || type === 'none' || type.endsWith('urlencoded'),
  )
  for (const { method, path } of paths.filter(({ path }) => !EXEMPT_PATHS.includes(path)))
    for (const [type, body] of types) {
      const response = await request(
        method,
        fillPath(path),
        { ...headers, ...(body && { 'content-type': type }) },
        body,
      )
      expect([method, path, type, headers, ...(await statusAndCodeOf(response))]).toEqual([
        method,
        path,
        type,
        headers,
        403,
        'foreign_origin',
      ])
    }
})

test('accepts same-origin writes without an Origin header', async () => {
  const response = await request('POST', '/api/unknown', { 'sec-fetch-site': 'same-origin' })
  expect(response.status).toBe(404)
})

test('accepts cross-origin POSTs to webhooks, unsubscribe and embeds only', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const path of EXEMPT_PATHS) {
    const response = await request('POST', `${path}?token=x`, form, 'List-Unsubscribe=One-Click')
    expect(await errorOf(response)).not.toContain('foreign_origin')
    expect((await request('DELETE', path, form)).status).toBe(403)
  }
})

/** Routes that embeds on other origins call, without cookies. */
const CORS_PATHS = ['/api/embed/tracks/:id/audio', '/api/embed/stream']

test('sends CORS headers to embeds only', async () => {
  for (const { method, path } of servedRoutes().filter(({ path }) => !CORS_PATHS.includes(path)))
    for (const origin of ['https://evil.example', 'null']) {
      const response = await send(method, fillPath(path), undefined, { headers: { origin, cookie: 'a=b' } })
      const corsHeaders = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
      expect([path, corsHeaders]).toEqual([path, []])
    }
  const preflight = await send('OPTIONS', '/api/config', undefined, {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([405, null])
})
