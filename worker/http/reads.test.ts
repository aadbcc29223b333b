import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { PAGES } from '../contract/pages'
import { fillPath, send, servedGetRoutes } from '../testing/client'
import { fixtureParams, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { snapshotRows } from '../testing/stores'
import { cookieHeaderFor } from '../testing/users'

beforeAll(loadFixtures)

const ROLES = ['visitor', 'supporter', 'administrator'] as const
/** Routes with responses that are cacheable for every role, with revalidation. */
const CACHED_FOR_ALL = [
  '/',
  '/subscribe',
  '/privacy-policy',
  '/shows',
  '/shows/:show',
  '/merch',
  '/merch/:product',
  '/music',
  '/music/:release',
  '/music/:release/:track',
  '/community',
  '/hub',
  '/hub/exclusive',
  '/hub/missions',
  '/challenge',
  '/challenge/:id',
  '/auth',
  '/login',
  '/signup',
  '/legal/:id',
  '/api/config',
  '/api/openapi.json',
  '/api/legal/:id',
  '/api/products',
  '/api/download-formats',
  '/api/shop/destinations',
  '/api/announced-releases',
  '/api/releases',
  '/api/releases/:slug',
  '/feed.xml',
  '/podcast.xml',
  '/embed/:slug',
  '/embed/:slug/:track',
  '/api/concerts',
  '/api/concerts/upcoming',
  '/api/concerts/:id/event.ics',
  '/shows.ics',
  '/api/challenge',
  '/api/challenge/current',
  '/api/challenges/:id',
  '/api/challenges/:id/tally.csv',
  '/api/challenge/finalists/:id/audio',
  '/api/challenges/:id/beat',
  '/sitemap.xml',
  '/robots.txt',
  '/.well-known/security.txt',
  '/manifest.webmanifest',
]
/** Routes with responses that are cacheable only if the request has no cookie. */
const CACHED_FOR_VISITORS = [
  '/api/tracks',
  '/api/tracks/trending',
  '/api/polls/active',
  '/api/polls/closed',
  '/api/leaderboard',
  '/api/missions',
  '/api/concerts/:id',
  '/api/community/posts',
  '/api/community/exclusive',
]
/** Routes with other values of `cache-control`: the site's own images, and audio, whose request starts a listen. */
const OTHER_CACHE_CONTROL: Record<string, string> = {
  '/media/:folder/:name': 'public, max-age=3600',
  '/api/tracks/:id/audio': 'private, no-cache',
  '/api/embed/tracks/:id/audio': 'private, no-cache',
}

test('reads write nothing but audit entries of downloads', async () => {
  const cookies = await Promise.all(ROLES.map((role) => cookieHeaderFor(role)))
  const { audit_log: _, ...before } = await snapshotRows(env.DB)
  expect(Object.values(before).flat().length).toBeGreaterThan(5)
  const paths = [
    ...servedGetRoutes().flatMap(({ path }) => [fillPath(path, fixtureParams(path)), fillPath(path, 'show-1')]),
    ...PAGES,
    '/nowhere',
  ]
  const requests = [...cookies.map((cookie) => ['GET', cookie] as const), ['HEAD', cookies.at(-1) ?? ''] as const]
  for (const path of new Set(paths))
    for (const [method, cookie] of requests)
      await (await send(method, path, undefined, { at: NOON, headers: { cookie } })).arrayBuffer()
  const { audit_log: auditEntries, ...after } = await snapshotRows(env.DB)
  expect(after).toEqual(before)
  // Downloads of ballots are audited.
  expect([...new Set((auditEntries ?? []).map((row) => (row as { action: string }).action))]).toEqual([
    'ballots.downloaded',
  ])
})

test('allows caching of listed routes only', async () => {
  for (const role of ROLES) {
    const cookie = await cookieHeaderFor(role)
    const cacheablePaths = role === 'visitor' ? [...CACHED_FOR_ALL, ...CACHED_FOR_VISITORS] : CACHED_FOR_ALL
    const wrong: string[] = []
    const publicPaths: string[] = []
    for (const path of new Set([...servedGetRoutes().map((route) => route.path), ...PAGES, '/nowhere'])) {
      const response = await send('GET', fillPath(path, fixtureParams(path)), undefined, {
        at: NOON,
        headers: cookie ? { cookie } : {},
      })
      await response.arrayBuffer()
      const cacheControl = response.headers.get('cache-control') ?? 'nothing'
      const expected = cacheablePaths.includes(path)
        ? 'public, no-cache'
        : (OTHER_CACHE_CONTROL[path] ?? 'private, no-store')
      if (cacheControl.startsWith('public')) publicPaths.push(path)
      if (cacheControl !== expected) wrong.push(`${path} ${response.status}: ${cacheControl}`)
      if (cacheControl.startsWith('public') && response.headers.getSetCookie().length > 0)
        wrong.push(`${path} sets a cookie`)
    }
    expect([role, wrong]).toEqual([role, []])
    // Images, which are in OTHER_CACHE_CONTROL, are public too.
    expect(publicPaths.length).toBe(cacheablePaths.length + 1)
  }
})
