import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { PAGES } from '../contract/pages'
import { DAY_MS } from '../lib/clock'
import { getJson, ORIGIN, send } from '../testing/client'
import { addChallenge, addRelease, addTrack, DAYS_JULY_2026, fillPage } from '../testing/fixtures'
import { artistLinks, NOON, seedSite } from '../testing/seed'

beforeAll(async () => {
  const { id } = await addTrack({ slug: 'show-1' })
  await addRelease({ slug: 'show-1' }, [id])
  await addChallenge('show-1', { sealedAt: 1, ballotsSha256: 'over', ballotsCount: 0, excludedCount: 0 })
  await addChallenge('open', { ...DAYS_JULY_2026, winnerOn: '2999-07-15' })
})
beforeEach(() => seedSite(env.DB))

test('lists public pages in the sitemap', async () => {
  const response = await send('GET', '/sitemap.xml')
  const xml = await response.text()
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect([...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc]) => loc)).toEqual(
    [
      '/',
      '/subscribe',
      '/privacy-policy',
      '/shows',
      '/music',
      '/merch',
      '/community',
      '/hub',
      '/hub/exclusive',
      '/hub/missions',
      '/challenge',
      '/challenge/show-1',
      '/music/show-1',
      '/music/show-1/show-1',
      '/merch/show-1',
      '/shows/show-1',
      '/legal/terms',
    ].map((path) => ORIGIN + path),
  )
  // Only the site's settings have an edit time, which says nothing about the records of a page.
  expect(xml).not.toContain('<lastmod>')
})

test('indexes exactly the pages of the sitemap', async () => {
  const sitemapText = await (await send('GET', '/sitemap.xml')).text()
  for (const page of PAGES) {
    const path = fillPage(page)
    const response = await send('GET', path)
    const indexed = !(await response.text()).includes('content="noindex"')
    expect([path, response.status, indexed]).toEqual([path, 200, sitemapText.includes(`<loc>${ORIGIN}${path}</loc>`)])
  }
})

test('disallows only the API in robots.txt', async () => {
  const response = await send('GET', '/robots.txt')
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  const lines = (await response.text()).split('\n')
  expect(lines[0]).toBe('User-agent: *')
  // A disallowed page's noindex would never be read.
  expect(lines.filter((line) => line.startsWith('Disallow'))).toEqual(['Disallow: /api/'])
  expect(lines).toContain('Allow: /api/embed/')
  expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`)
})

test('names contacts in a security.txt that expires within a year', async () => {
  await seedSite(env.DB, { site: { links: { ...artistLinks, contact: 'https://social.example/artist' } } })
  const response = await send('GET', '/.well-known/security.txt', undefined, { at: NOON })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain;charset=UTF-8'])
  const fields = (await response.text()).trimEnd().split('\n')
  const expires = fields.find((field) => field.startsWith('Expires: '))!
  expect(fields).toEqual([
    `Contact: ${ORIGIN}/privacy-policy#ask`,
    'Contact: https://social.example/artist',
    expires,
    'Preferred-Languages: en',
    `Canonical: ${ORIGIN}/.well-known/security.txt`,
  ])
  const lifetime = Date.parse(expires.slice('Expires: '.length)) - NOON
  expect(lifetime).toBeGreaterThan(90 * DAY_MS)
  expect(lifetime).toBeLessThan(365 * DAY_MS)
})

test('serves the artist’s web manifest', async () => {
  const response = await send('GET', '/manifest.webmanifest')
  expect(response.headers.get('content-type')).toBe('application/manifest+json')
  expect(await response.json()).toMatchObject({
    name: 'Any Artist',
    start_url: '/',
    display: 'standalone',
    icons: [
      { src: '/media/any/icon.png@192', sizes: '192x192', purpose: 'any' },
      { src: '/media/any/icon.png', sizes: '512x512', purpose: 'any' },
      { src: '/media/any/icon-maskable.png', sizes: '512x512', purpose: 'maskable' },
    ],
  })
})

test('revalidates with an etag and serves edits immediately', async () => {
  for (const path of ['/sitemap.xml', '/manifest.webmanifest', '/robots.txt']) {
    const first = await send('GET', path)
    expect([path, first.headers.get('cache-control')]).toEqual([path, 'public, no-cache'])
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    const again = await send('GET', path, undefined, { headers })
    expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
  }
  const tag = (await send('GET', '/manifest.webmanifest')).headers.get('etag') ?? ''
  await seedSite(env.DB, { site: { name: 'Another' } })
  const edited = await getJson<{ name: string }>('/manifest.webmanifest', { headers: { 'if-none-match': tag } })
  expect(edited.name).toBe('Another')
})

test('redirects trailing slashes and preserves the query', async () => {
  const response = await send('GET', '/subscribe/?tier=gold')
  expect([response.status, response.headers.get('location')]).toEqual([308, '/subscribe?tier=gold'])
})

test('redirects well-known icon paths to the artist’s icon', async () => {
  for (const [path, icon] of [
    ['/favicon.ico', '/media/any/icon.png@32'],
    ['/apple-touch-icon.png', '/media/any/icon.png@180'],
  ] as const) {
    const response = await send('GET', path)
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, icon])
  }
})

test('never redirects to another site', async () => {
  for (const path of [
    '//',
    '///',
    '//subscribe',
    '//evil.example/',
    '//evil.example//',
    '/\\evil.example/',
    '/%2f%2fevil.example/',
  ]) {
    const response = await send('GET', path)
    expect([path, response.status, response.headers.get('location')]).toEqual([path, 404, null])
  }
})
