import { env } from 'cloudflare:test'
import { Hono } from 'hono'
import { beforeAll, expect, test } from 'vitest'
import assetHeaders from '../../web/public/_headers?raw'
import { assetHeadersOf } from '../testing/asset-headers'
import { fillPath, send, servedRoutes } from '../testing/client'
import { fixtureParams, loadFixtures } from '../testing/fixtures'
import type { AppEnv } from './app-env'
import { noStoreByDefault, securityHeaders, setHeader } from './headers'
import { onError } from './on-error'

beforeAll(loadFixtures)

/** Required security headers and their values. */
const REQUIRED_HEADERS: Record<string, RegExp> = {
  'strict-transport-security': /^max-age=63072000; includeSubDomains$/,
  // Uploaded images get a stricter policy.
  'content-security-policy':
    /^default-src ('self'; script-src 'self' https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com; |'none'; frame-ancestors 'none'; sandbox$)/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^(strict-origin-when-cross-origin|no-referrer)$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^(same|cross)-origin$/,
  'permissions-policy':
    /^camera=\(self\), microphone=\(\), geolocation=\(\), payment=\(self "https:\/\/js\.stripe\.com"\)$/,
}
/** Routes whose responses other origins may load. */
const CROSS_ORIGIN_PATHS = [
  '/media/:folder/:name',
  '/embed/:slug',
  '/embed/:slug/:track',
  '/api/embed/tracks/:id/audio',
  '/api/embed/stream',
]
const missingHeaders = (headers: Headers) =>
  Object.entries(REQUIRED_HEADERS)
    .filter(([name, value]) => !value.test(headers.get(name) ?? ''))
    .map(([name]) => name)

test('sends the security headers with every response', async () => {
  const requests = [
    ...servedRoutes()
      .filter(({ path }) => !path.startsWith('/embed/'))
      .flatMap(({ method, path }) => [
        { method, path: fillPath(path, fixtureParams(path)) },
        { method, path: fillPath(path, 'none') },
        { method: 'PATCH', path: fillPath(path) },
        { method: 'HEAD', path: fillPath(path, fixtureParams(path)) },
      ]),
    ...['/', '/subscribe', '/subscribe/', '/nowhere', '/a/b/c', '/api', '/api/unknown', '/assets/missing-abc.js'].map(
      (path) => ({ method: 'GET', path }),
    ),
  ]
  for (const { method, path } of requests) {
    const response = await send(method, path)
    expect([method, path, response.status, missingHeaders(response.headers)]).toEqual([
      method,
      path,
      response.status,
      [],
    ])
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect([path, response.headers.has('x-powered-by'), response.headers.has('server')]).toEqual([path, false, false])
    await response.arrayBuffer()
  }
})

test('allows other origins to load embeds and public images only', async () => {
  for (const { method, path } of servedRoutes()) {
    const { headers } = await send(method, fillPath(path, fixtureParams(path)))
    const isEmbed = path.startsWith('/embed/')
    const isFrameable =
      !headers.has('x-frame-options') && headers.get('content-security-policy')?.includes('frame-ancestors *')
    expect([path, headers.get('cross-origin-resource-policy'), isFrameable]).toEqual([
      path,
      CROSS_ORIGIN_PATHS.includes(path) ? 'cross-origin' : 'same-origin',
      isEmbed,
    ])
  }
  for (const path of ['/embed', '/embed/', '/embed/a/b/c', '/embedded/x', '/'])
    expect([path, (await send('GET', path)).headers.get('x-frame-options')]).toEqual([path, 'DENY'])
})

test('allows scripts of this site and Stripe only', async () => {
  const policy = (await send('GET', '/')).headers.get('content-security-policy') ?? ''
  const hosts = [...policy.matchAll(/https?:\/\/(?:\*\.)?([^\s;]+)/g)].map(([, host]) => host)
  expect(hosts.filter((host) => !host?.endsWith('stripe.com'))).toEqual([])
  const scriptSources = /script-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? []
  expect([
    scriptSources.includes("'self'"),
    scriptSources.includes("'unsafe-inline'"),
    scriptSources.includes('*'),
  ]).toEqual([true, false, false])
})

test('sends the security headers with server errors', async () => {
  const DB = new Proxy(env.DB, {
    get: () => () => {
      throw new Error('down')
    },
  })
  for (const bindings of [{ DB }, { SIGNING_SECRET: '' }]) {
    const response = await send('GET', '/', undefined, { env: bindings })
    expect(response.status).toBeGreaterThanOrEqual(500)
    expect(missingHeaders(response.headers)).toEqual([])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  }
})

test('sets headers on immutable responses', async () => {
  const app = new Hono<AppEnv>().use(securityHeaders, noStoreByDefault)
  app.get('/moved', () => Response.redirect('https://fan.example/', 302))
  app.get('/asset', (c) => c.env.ASSETS.fetch('https://fan.example/assets/missing.js'))
  app.onError(onError)
  for (const path of ['/moved', '/asset'])
    expect(missingHeaders((await app.request(path, {}, env)).headers)).toEqual([])
})

test('sets headers without copying the response', async () => {
  const responses: Response[] = []
  const app = new Hono<AppEnv>().use(securityHeaders, noStoreByDefault, async (c, next) => {
    await next()
    setHeader(c, 'set-cookie', 'late=1', { append: true })
  })
  app.get('/', (c) => {
    setHeader(c, 'set-cookie', 'early=1', { append: true })
    responses.push(c.text('text'))
    return responses[0] as Response
  })
  const response = await app.request('/', {}, env)
  expect([response === responses[0], response.headers.getSetCookie()]).toEqual([true, ['early=1', 'late=1']])
})

test('sends no-store unless the route allows caching', async () => {
  const cacheable = [
    '/sitemap.xml',
    '/robots.txt',
    '/.well-known/security.txt',
    '/manifest.webmanifest',
    '/',
    '/login',
    '/api/config',
    '/api/tracks',
  ]
  for (const path of [...cacheable, '/account', '/nowhere', '/api/auth/status', '/healthz', '/api/unknown']) {
    const response = await send('GET', path)
    expect([path, response.headers.get('cache-control')]).toEqual([
      path,
      cacheable.includes(path) ? 'public, no-cache' : 'private, no-store',
    ])
  }
})

test('sends no referrer from URLs with secrets', async () => {
  for (const [path, policy] of [
    ['/nowhere?token=abc', 'no-referrer'],
    ['/checkout?payment_intent_client_secret=abc', 'no-referrer'],
    ['/api/unknown?state=a&code=b', 'no-referrer'],
    ['/subscribe?tier=gold', 'strict-origin-when-cross-origin'],
    ['/nowhere?broken=token', 'strict-origin-when-cross-origin'],
  ] as const)
    expect([path, (await send('GET', path)).headers.get('referrer-policy')]).toEqual([path, policy])
})

test('static assets have the same headers as worker responses', async () => {
  const workerHeaders = new Headers((await send('GET', '/healthz')).headers)
  for (const name of ['cache-control', 'content-type', 'x-request-id']) workerHeaders.delete(name)
  expect(assetHeadersOf(assetHeaders, '/*')).toEqual(Object.fromEntries(workerHeaders))
})

test('static images have the same headers as uploaded ones', async () => {
  await env.FILES.put('uploads/up_asset', 'x', { httpMetadata: { contentType: 'image/webp' } })
  await env.DB.prepare(
    "INSERT INTO uploads (id, kind, created_at, is_published) VALUES ('up_asset', 'picture', 0, 1)",
  ).run()
  const { status, headers } = await send('GET', '/media/uploads/up_asset')
  expect(status).toBe(200)
  const imageHeaders = assetHeadersOf(assetHeaders, '/media/*')
  expect(Object.fromEntries(Object.keys(imageHeaders).map((name) => [name, headers.get(name)]))).toEqual(imageHeaders)
  expect(Object.keys(imageHeaders).sort()).toEqual([
    'cache-control',
    'content-security-policy',
    'cross-origin-resource-policy',
  ])
})
