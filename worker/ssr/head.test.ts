import { createExecutionContext, env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../app'
import { concerts } from '../concerts/concerts.table'
import { findPage, PAGES } from '../contract/pages'
import { openDb } from '../db/client'
import { DAY_MS, HOUR_MS } from '../lib/clock'
import { products } from '../products/products.table'
import { ORIGIN, send } from '../testing/client'
import { addChallenge, addRelease, addTrack, DAYS_JULY_2026, fillPage } from '../testing/fixtures'
import { getPage, linkedDataOf, metaOf } from '../testing/pages'
import { NOON, seedSite } from '../testing/seed'
import { spyOnD1 } from '../testing/stores'
import { buildHead } from './head'
import { PAGE_DEFINITIONS } from './pages'

beforeEach(() => seedSite(env.DB))

test('describes the artist on the home page', async () => {
  const html = await getPage('/')
  expect(html).toContain('<title>Any Artist | Of Any City</title>')
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/">`)
  expect(metaOf(html, 'description')).toBe('Any Artist plays any music.')
  expect(metaOf(html, 'og:title')).toBe('Any Artist | Of Any City')
  expect(metaOf(html, 'og:url')).toBe(`${ORIGIN}/`)
  expect(metaOf(html, 'og:image')).toBe(`${ORIGIN}/media/any/share.png`)
  expect(metaOf(html, 'og:image:alt')).toBe('Any Artist, Of Any City')
  expect(metaOf(html, 'twitter:card')).toBe('summary_large_image')
  expect(metaOf(html, 'robots')).toBeUndefined()
})

test('titles the challenge page after the current challenge', async () => {
  const before = await send('GET', '/challenge', undefined, { at: NOON })
  expect([before.status, metaOf(await before.text(), 'robots')]).toEqual([200, 'noindex'])
  await addChallenge('open', { ...DAYS_JULY_2026, title: 'Sixteen Bars' })
  const html = await getPage('/challenge')
  expect(html).toContain('<title>Sixteen Bars | Any Artist</title>')
  expect(metaOf(html, 'robots')).toBeUndefined()
})

test('gives every page a unique title, description and URL', async () => {
  await addChallenge('show-1', { ...DAYS_JULY_2026, title: 'Eight Bars' })
  const { id } = await addTrack({ slug: 'show-1' })
  await addRelease({ slug: 'show-1' }, [id])
  const paths = PAGES.map(fillPage)
  const heads = await Promise.all(paths.map(getPage))
  const titles = heads.map((html) => /<title>(.*?)<\/title>/.exec(html)?.[1])
  const descriptions = heads.map((html) => metaOf(html, 'description'))
  expect(new Set(titles).size).toBe(PAGES.length)
  expect(new Set(descriptions).size).toBe(PAGES.length)
  expect(heads.map((html) => metaOf(html, 'og:url'))).toEqual(paths.map((path) => ORIGIN + path))
})

test('gives all sitemap pages a head and linked data', async () => {
  await addChallenge('listed', { ...DAYS_JULY_2026, title: 'Sixteen Bars' })
  const { id } = await addTrack({ slug: 'a-song' })
  await addRelease({ slug: 'a-release' }, [id])
  const sitemap = await (await send('GET', '/sitemap.xml', undefined, { at: NOON })).text()
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => (url ?? '').replace(ORIGIN, ''))
  const patterns = PAGES.filter((name) => PAGE_DEFINITIONS[name].indexed && name !== '/challenge/:id')
  expect(patterns.filter((name) => !paths.some((path) => findPage(path) === name))).toEqual([])
  for (const path of paths) {
    const html = await getPage(path)
    const linked = linkedDataOf(html)
    expect([
      path,
      /<title>[^<]+<\/title>/.test(html),
      html.includes(`<link rel="canonical" href="${ORIGIN}${path}">`),
    ]).toEqual([path, true, true])
    expect([path, metaOf(html, 'description'), metaOf(html, 'og:image'), metaOf(html, 'og:image:alt')]).toEqual([
      path,
      expect.stringMatching(/\S/),
      expect.stringMatching(/^https?:/),
      expect.stringMatching(/\S/),
    ])
    expect([
      path,
      metaOf(html, 'robots'),
      linked.length > 0,
      linked.every((node) => node['@context'] === 'https://schema.org'),
    ]).toEqual([path, undefined, true, true])
  }
})

test('describes a show page', async () => {
  const html = await getPage('/shows/show-1')
  expect(html).toContain('<title>Any Hall, Tampa, July 2, 2026 | Any Artist</title>')
  expect(metaOf(html, 'description')).toBe(
    'Any Artist live at Any Hall in Tampa on July 2, 2026. Tickets at the door: $25.00.',
  )
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/shows/show-1">`)
  expect([metaOf(html, 'og:image'), metaOf(html, 'og:image:alt')]).toEqual([
    `${ORIGIN}/media/any/hall.c532.webp`,
    'A hall.',
  ])
  expect(linkedDataOf(html)).toMatchObject([{ '@type': 'MusicEvent', url: `${ORIGIN}/shows/show-1` }])
})

test('describes the community as a collection, without posts', async () => {
  const html = await getPage('/community')
  expect(html).toContain('<title>Community | Any Artist</title>')
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/community">`)
  expect(linkedDataOf(html)).toMatchObject([
    { '@type': 'CollectionPage', url: `${ORIGIN}/community`, about: { '@id': `${ORIGIN}/#artist` } },
  ])
})

test('offers no tickets for a past show', async () => {
  const html = await (await send('GET', '/shows/show-1', undefined, { at: NOON + 2 * DAY_MS })).text()
  expect(linkedDataOf(html)[0]).not.toHaveProperty('offers')
  expect(metaOf(html, 'description')).toBe('Any Artist played Any Hall in Tampa on July 2, 2026.')
})

test('links upcoming shows on the page of all shows', async () => {
  const html = await getPage('/shows')
  expect(html).toContain('<title>Shows | Any Artist</title>')
  expect(linkedDataOf(html).map((data) => [data['@type'], data.url])).toEqual([
    ['MusicGroup', `${ORIGIN}/`],
    ['MusicEvent', `${ORIGIN}/shows/show-1`],
  ])
})

test.each(['none', '%00', '%zz', '..%2f..', '__proto__'])('answers 404 for show %s', async (id) => {
  const response = await send('GET', `/shows/${id}`)
  const html = await response.text()
  expect([response.status, metaOf(html, 'robots')]).toEqual([404, 'noindex'])
  expect(html).toContain('<title>Page Not Found | Any Artist</title>')
})

test('redirects a show’s id to its slug', async () => {
  const db = openDb(env.DB)
  const [row] = await db.select().from(concerts).where(eq(concerts.id, 'show-1'))
  await db.insert(concerts).values({ ...row!, id: 'show_Ab-c', slug: 'hall-2026-07-02' })
  const response = await send('GET', '/shows/show_Ab-c?from=mail', undefined, { at: NOON })
  expect([response.status, response.headers.get('location')]).toEqual([301, '/shows/hall-2026-07-02?from=mail'])
  expect((await send('GET', '/shows/hall-2026-07-02', undefined, { at: NOON })).status).toBe(200)
  expect((await send('GET', '/shows/Hall-2026-07-02', undefined, { at: NOON })).status).toBe(404)
  await db.update(concerts).set({ removedAt: NOON }).where(eq(concerts.id, 'show_Ab-c'))
  expect((await send('GET', '/shows/show_Ab-c', undefined, { at: NOON })).status).toBe(404)
})

test('excludes checkout from search engines', async () => {
  const html = await getPage('/checkout?product=clip')
  expect(metaOf(html, 'robots')).toBe('noindex')
  expect(html).not.toContain('rel="canonical"')
})

test('uses the configured origin, not the Host header', async () => {
  const response = await createApp().fetch(new Request('http://evil.example/'), env, createExecutionContext())
  expect(await response.text()).not.toContain('evil.example')
  const sitemap = await createApp().fetch(new Request('https://old.example/sitemap.xml'), env, createExecutionContext())
  expect(await sitemap.text()).toContain(`<loc>${ORIGIN}/</loc>`)
})

test('uses the request’s origin in the demo', async () => {
  const app = createApp(() => NOON)
  const demo = { ...env, SITE_MODE: 'demo' as const }
  for (const origin of ['http://localhost:8787', 'http://192.0.2.7:8787', 'http://localhost:8787']) {
    const response = await app.fetch(new Request(`${origin}/`), demo, createExecutionContext())
    expect(metaOf(await response.text(), 'og:url')).toBe(`${origin}/`)
  }
})

test('serves the 404 page without echoing the path', async () => {
  const response = await send('GET', '/nowhere-at-all')
  const html = await response.text()
  expect([response.status, metaOf(html, 'robots')]).toEqual([404, 'noindex'])
  expect(html).toContain('<title>Page Not Found | Any Artist</title>')
  expect(html).not.toContain('nowhere-at-all')
})

test('describes the artist as a MusicGroup', async () => {
  expect(linkedDataOf(await getPage('/'))[0]).toEqual({
    '@context': 'https://schema.org',
    '@type': 'MusicGroup',
    '@id': `${ORIGIN}/#artist`,
    name: 'Any Artist',
    description: 'Any Artist plays any music.',
    url: `${ORIGIN}/`,
    image: `${ORIGIN}/media/any/share.png`,
    foundingLocation: { '@type': 'City', name: 'Any City' },
    sameAs: ['https://social.example/artist', 'https://video.example/artist'],
  })
})

test('describes an upcoming show as a MusicEvent', async () => {
  const [, event] = linkedDataOf(await getPage('/'))
  expect(event).toMatchObject({
    '@type': 'MusicEvent',
    name: 'Any Artist at Any Hall, Tampa',
    startDate: '2026-07-02T12:00:00-04:00',
    endDate: '2026-07-02T15:00:00-04:00',
    eventStatus: 'https://schema.org/EventScheduled',
    location: {
      name: 'Any Hall',
      address: {
        '@type': 'PostalAddress',
        streetAddress: '1 Any Street',
        addressLocality: 'Tampa',
        addressRegion: 'FL',
        postalCode: '33602',
        addressCountry: 'US',
      },
    },
    performer: { '@id': `${ORIGIN}/#artist`, name: 'Any Artist' },
    offers: { price: '25.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
  })
})

test('marks sold-out shows and omits past ones', async () => {
  const db = openDb(env.DB)
  const row = {
    city: 'Oslo',
    venue: 'Sal',
    address: 'Gate 1',
    timeZone: 'Europe/Oslo',
    priceCents: 0,
    imageUrl: 'https://pictures.example/sal.jpg',
    imageAlt: 'Sal.',
  }
  await db.insert(concerts).values([
    { ...row, id: 'over', slug: 'over', startsAt: NOON - HOUR_MS, endsAt: NOON },
    {
      ...row,
      id: 'winter',
      slug: 'winter',
      startsAt: NOON + 180 * DAY_MS,
      endsAt: NOON + 181 * DAY_MS,
      isSoldOut: true,
    },
  ])
  const events = linkedDataOf(await getPage('/')).filter((data) => data['@type'] === 'MusicEvent')
  expect(events.map((event) => event.startDate)).toEqual(['2026-07-02T12:00:00-04:00', '2026-12-28T17:00:00+01:00'])
  expect(events[1]).toMatchObject({
    isAccessibleForFree: true,
    image: ['https://pictures.example/sal.jpg'],
    offers: { price: '0.00', availability: 'https://schema.org/SoldOut' },
  })
})

test('describes only the featured product', async () => {
  const db = openDb(env.DB)
  await db
    .insert(products)
    .values({ id: 'plain', slug: 'plain', name: 'Plain', description: 'Plain.', priceCents: 1, stock: 1, position: 2 })
  const found = linkedDataOf(await getPage('/')).filter((data) => data['@type'] === 'Product')
  expect(found).toEqual([
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      '@id': `${ORIGIN}/merch/show-1#product`,
      url: `${ORIGIN}/merch/show-1`,
      name: 'Clip',
      description: 'A clip.',
      image: [`${ORIGIN}/media/any/clip-1.webp`, `${ORIGIN}/media/any/clip-2.webp`],
      brand: { '@type': 'Brand', name: 'Any Artist' },
      offers: {
        '@type': 'Offer',
        price: '19.99',
        priceCurrency: 'USD',
        itemCondition: 'https://schema.org/NewCondition',
        availability: 'https://schema.org/InStock',
        url: `${ORIGIN}/merch/show-1`,
      },
    },
  ])
})

test('preloads the hero images of the home page', async () => {
  const links = [...(await getPage('/')).matchAll(/<link rel="preload" as="image" [^>]*>/g)].map(([link]) => link)
  expect(links).toEqual([
    '<link rel="preload" as="image" href="/media/any/hero-portrait.webp" imagesrcset="/media/any/hero-portrait.webp@480 480w, /media/any/hero-portrait.webp@720 720w, /media/any/hero-portrait.webp@840 840w, /media/any/hero-portrait.webp 1080w" imagesizes="100vw" media="(width &lt; 48rem)" fetchpriority="high">',
    '<link rel="preload" as="image" href="/media/any/hero.webp" imagesrcset="/media/any/hero.webp@960 960w, /media/any/hero.webp@1280 1280w, /media/any/hero.webp@1600 1600w, /media/any/hero.webp 2400w" imagesizes="100vw" media="(width &gt;= 48rem)" fetchpriority="high">',
  ])
  expect(await getPage('/subscribe')).not.toContain('as="image"')
})

test('adds no linked data to pages with noindex', async () => {
  expect(linkedDataOf(await getPage('/login'))).toEqual([])
})

test('builds the head in one round trip', async () => {
  for (const page of ['/', '/subscribe', '/shows', null] as const) {
    const { DB, trips } = spyOnD1(env.DB)
    await buildHead(openDb(DB), { page, path: page ?? '/nowhere', origin: ORIGIN, at: NOON })
    expect([page, trips()]).toEqual([page, 1])
  }
})

test('escapes database texts', async () => {
  const plainPage = await getPage('/')
  const hostile = `</script><script>alert(1)</script>"'><img src=x onerror=alert(2)>\u2028\u2029<!--{{7*7}}`
  await seedSite(env.DB, { site: { name: hostile, tagline: hostile, description: hostile, iconUrl: `/media/"><i>` } })
  const html = await getPage('/')
  expect(html.match(/<script/g)?.length).toBe(plainPage.match(/<script/g)?.length)
  expect(html).not.toMatch(/<script>|<img src=x|<i>|<!--\{/)
  expect(html.split('<script type="application/ld+json">')[1]?.split('</script>')[0]).not.toMatch(/[<\u2028\u2029]/)
  expect(linkedDataOf(html)[0].name).toBe(hostile)
  for (const path of ['/subscribe', '/nowhere', '/sitemap.xml'])
    expect(await getPage(path)).not.toMatch(/<script>|<img src=x/)
})

test('tolerates malformed URLs in the database', async () => {
  await seedSite(env.DB, { site: { shareImageUrl: 'http://', links: {} as never } })
  const response = await send('GET', '/')
  expect([response.status, metaOf(await response.text(), 'og:image')]).toEqual([200, `${ORIGIN}/`])
})
