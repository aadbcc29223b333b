import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../lib/clock'
import { newIsolate, ORIGIN, send } from '../testing/client'
import { addRelease, addTrack } from '../testing/fixtures'
import { linkedDataOf, metaOf } from '../testing/pages'
import { NOON, seedSite } from '../testing/seed'

const RELEASED_AT = NOON + HOUR_MS

beforeAll(async () => {
  await seedSite(env.DB)
  const lyrics = '[00:01]First line\n[00:04]Second line'
  const both = await addTrack({ title: 'Both Sides', slug: 'both-sides', lyrics, isrc: 'USS1Z2600001' })
  const only = await addTrack({ title: 'Album Only', slug: 'album-only', isExclusive: true })
  const tomorrow = await addTrack({ title: 'Midnight', slug: 'midnight' })
  await addRelease({ slug: 'both-sides', title: 'Both Sides', kind: 'single', releasedAt: NOON - 2 * HOUR_MS }, [
    both.id,
  ])
  const record = { title: 'A Record', notes: 'Recorded at night.', label: 'Any Label', upc: '012345678905' }
  const credits = [{ role: 'Producer', name: 'A Producer' }]
  await addRelease({ ...record, slug: 'a-record', credits, releasedAt: NOON - HOUR_MS }, [only.id, both.id])
  await addRelease({ slug: 'midnight', title: 'Midnight', kind: 'single', releasedAt: RELEASED_AT }, [tomorrow.id])
  const later = await addTrack({
    title: 'Secret Song',
    slug: 'secret-song',
    lyrics: 'Secret words',
    audioKey: 'audio/s',
  })
  const coming = { slug: 'coming', title: 'Coming Record', notes: 'Secret notes.', releasedAt: RELEASED_AT }
  await addRelease({ ...coming, isAnnounced: true }, [later.id])
})

const read = async (path: string) => {
  const response = await send('GET', path, undefined, { at: NOON })
  return { status: response.status, html: await response.text() }
}
const canonical = (html: string) => /<link rel="canonical" href="([^"]*)">/.exec(html)?.[1]
const linkedData = (html: string) => linkedDataOf(html)[0]

test('renders a release with tracks, notes and credits', async () => {
  const { status, html } = await read('/music/a-record')
  expect(status).toBe(200)
  for (const text of [
    'A Record',
    'Album Only',
    'Both Sides',
    'Recorded at night.',
    'A Producer',
    'Any Label',
    '012345678905',
  ])
    expect(html).toContain(text)
  expect(html).toContain('<title>A Record (Album) | Any Artist</title>')
  expect([canonical(html), metaOf(html, 'og:type')]).toEqual([`${ORIGIN}/music/a-record`, 'music.album'])
  expect([metaOf(html, 'og:image'), metaOf(html, 'og:image:width')]).toEqual([
    `${ORIGIN}/media/a/cover.webp`,
    undefined,
  ])
})

test('describes a release as a MusicAlbum', async () => {
  expect(linkedData((await read('/music/a-record')).html)).toMatchObject({
    '@type': 'MusicAlbum',
    name: 'A Record',
    albumReleaseType: 'https://schema.org/AlbumRelease',
    numTracks: 2,
    byArtist: { name: 'Any Artist' },
    track: {
      itemListElement: [
        { position: 1, item: { name: 'Album Only', duration: 'PT3M0S', url: `${ORIGIN}/music/a-record/album-only` } },
        { position: 2, item: { name: 'Both Sides', url: `${ORIGIN}/music/both-sides/both-sides` } },
      ],
    },
  })
})

test('renders a track with lyrics under one canonical address', async () => {
  const { status, html } = await read('/music/a-record/both-sides')
  expect(status).toBe(200)
  for (const text of ['Second line', 'Appears on', 'USS1Z2600001']) expect(html).toContain(text)
  expect(html).toContain('<title>Both Sides, from A Record | Any Artist</title>')
  expect([canonical(html), metaOf(html, 'og:type')]).toEqual([`${ORIGIN}/music/both-sides/both-sides`, 'music.song'])
  expect(linkedData(html)).toMatchObject({
    '@type': 'MusicRecording',
    isrcCode: 'USS1Z2600001',
    inAlbum: { name: 'A Record' },
    recordingOf: { lyrics: { text: 'First line\nSecond line' } },
  })
})

test('lists announced releases, then public ones newest first', async () => {
  const { html } = await read('/music')
  const found = [...html.matchAll(/href="\/music\/([\w-]+)"/g)].map(([, slug]) => slug)
  expect(found).toEqual(['coming', 'a-record', 'both-sides'])
})

test.each(['none', 'none/both-sides', 'a-record/none', 'both-sides/album-only', '%00', '__proto__/x', 'A-Record'])(
  'answers 404 for /music/%s',
  async (path) => {
    const { status, html } = await read(`/music/${path}`)
    expect([status, metaOf(html, 'robots')]).toEqual([404, 'noindex'])
    expect(html).toContain('<title>Page Not Found | Any Artist</title>')
  },
)

test('pages, list and sitemap change at the release time', async () => {
  // One isolate: responses that it cached before the release must not be served after it.
  const { request } = newIsolate()
  const statusesAndListings = async (at: number) => {
    const pages = await Promise.all(
      ['/music/midnight', '/music/midnight/midnight'].map((path) => request(path, {}, at)),
    )
    const lists = await Promise.all(
      ['/music', '/sitemap.xml', '/api/releases'].map(async (path) => (await request(path, {}, at)).text()),
    )
    return [...pages.map(({ status }) => status), ...lists.map((text) => text.includes('midnight'))]
  }
  expect(await statusesAndListings(NOON)).toEqual([404, 404, false, false, false])
  expect(await statusesAndListings(RELEASED_AT - 1)).toEqual([404, 404, false, false, false])
  expect(await statusesAndListings(RELEASED_AT)).toEqual([200, 200, true, true, true])
})

test('an announced release counts down until its time', async () => {
  const { request } = newIsolate()
  const text = async (path: string, at: number) => (await request(path, {}, at)).text()
  for (const at of [NOON, RELEASED_AT - 1]) {
    const page = await request('/music/coming', {}, at)
    const html = await page.text()
    expect([page.status, canonical(html), metaOf(html, 'og:type')]).toEqual([200, `${ORIGIN}/music/coming`, 'website'])
    expect(html).toContain('<title>Coming Record (Coming Soon) | Any Artist</title>')
    expect(metaOf(html, 'description')).toBe(
      'Coming Record, an album by Somebody, comes out July 1, 2026. See the countdown.',
    )
    expect(html).not.toMatch(/secret|oembed/i)
    expect(linkedData(html)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'MusicAlbum',
      '@id': `${ORIGIN}/music/coming#release`,
      url: `${ORIGIN}/music/coming`,
      name: 'Coming Record',
      albumReleaseType: 'https://schema.org/AlbumRelease',
      datePublished: '2026-07-01',
      byArtist: { '@type': 'MusicGroup', '@id': `${ORIGIN}/#artist`, name: 'Any Artist', url: `${ORIGIN}/` },
      image: `${ORIGIN}/media/a/cover.webp`,
    })
    expect(await text('/music', at)).toContain('href="/music/coming"')
    const sitemap = await text('/sitemap.xml', at)
    expect([sitemap.includes('/music/coming<'), sitemap.includes('secret')]).toEqual([true, false])
    for (const path of ['/feed.xml', '/podcast.xml', '/api/releases'])
      expect(await text(path, at)).not.toMatch(/Coming/)
    for (const path of [
      '/music/coming/secret-song',
      '/api/releases/coming',
      '/embed/coming',
      '/embed/coming/secret-song',
    ])
      expect([path, (await request(path, {}, at)).status]).toEqual([path, 404])
    expect((await request(`/api/oembed?url=${ORIGIN}/music/coming`, {}, at)).status).toBe(404)
  }
  const html = await text('/music/coming', RELEASED_AT)
  expect(html).toContain('<title>Coming Record (Album) | Any Artist</title>')
  expect(html).toMatch(/Secret Song.*Secret notes/s)
  expect(await text('/api/announced-releases', RELEASED_AT)).toBe('[]')
  for (const path of ['/music/coming/secret-song', '/api/releases/coming', '/embed/coming'])
    expect([path, (await request(path, {}, RELEASED_AT)).status]).toEqual([path, 200])
})

test('the preview page is neither cached nor indexed', async () => {
  const response = await send('GET', '/admin/releases/coming/preview', undefined, { at: NOON })
  const html = await response.text()
  expect([response.status, response.headers.get('cache-control'), metaOf(html, 'robots')]).toEqual([
    200,
    'private, no-store',
    'noindex',
  ])
  expect(html).not.toMatch(/Coming Record|Secret/)
})
