import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import { beforeAll, expect, test } from 'vitest'
import { HOUR_MS, SECOND_MS } from '../lib/clock'
import { releases, releaseTracks } from '../releases/releases.table'
import { newIsolate, ORIGIN, send } from '../testing/client'
import { addTrack, db, loadFixtures } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'

const RELEASE = { artist: 'Somebody', kind: 'album', coverUrl: '/media/a/cover.webp', coverAlt: 'A cover' } as const
const MIDNIGHT = NOON + 12 * HOUR_MS

beforeAll(async () => {
  await loadFixtures()
  await addTrack({ id: 2, slug: 'tomorrow', title: 'Tomorrow', audioKey: 'audio/song.mp3' })
  await addTrack({ id: 3, slug: 'members', title: 'For Members', audioKey: 'audio/song.mp3', isExclusive: true })
  await addTrack({ id: 4, slug: 'silent', title: 'Without Audio' })
  await db.insert(releases).values([
    { ...RELEASE, id: 'later', slug: 'later', title: 'Later', releasedAt: MIDNIGHT, isExplicit: true },
    { ...RELEASE, id: 'old', slug: 'old', title: 'Old', kind: 'ep', releasedAt: NOON - HOUR_MS },
    { ...RELEASE, id: 'removed', slug: 'removed', title: 'Removed', releasedAt: -1, removedAt: NOON },
  ])
  await db.insert(releaseTracks).values([
    { releaseId: 'later', position: 1, trackId: 2 },
    // Track 1 is also on the earlier `a-release`, which is the one that its feed item links.
    { releaseId: 'later', position: 2, trackId: 1 },
    { releaseId: 'removed', position: 1, trackId: 1 },
    { releaseId: 'old', position: 1, trackId: 3 },
    { releaseId: 'old', position: 2, trackId: 4 },
  ])
})

const atom = async (at = NOON) => parseAtomFeed(await (await send('GET', '/feed.xml', undefined, { at })).text())
const podcast = async (at = NOON) => parseRssFeed(await (await send('GET', '/podcast.xml', undefined, { at })).text())

test('lists releases and upcoming shows in an Atom feed', async () => {
  const response = await send('GET', '/feed.xml', undefined, { at: NOON })
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  const feed = await atom()
  expect(feed).toMatchObject({
    id: 'tag:fan.example,2026:feed',
    title: { value: 'Any Artist' },
    updated: new Date(NOON).toISOString(),
    authors: [{ name: 'Any Artist', uri: `${ORIGIN}/` }],
  })
  expect(feed.links).toContainEqual({ rel: 'self', type: 'application/atom+xml', href: `${ORIGIN}/feed.xml` })
  expect(feed.entries?.map(({ id, links }) => [id, links?.[0]?.href])).toEqual([
    ['tag:fan.example,2026:shows/show-1', `${ORIGIN}/shows/show-1`],
    ['tag:fan.example,2026:releases/old', `${ORIGIN}/music/old`],
    ['tag:fan.example,2026:releases/a-release', `${ORIGIN}/music/a-release`],
  ])
  expect(feed.entries?.[1]).toMatchObject({
    title: { value: 'Old (EP)' },
    updated: new Date(NOON - HOUR_MS).toISOString(),
    summary: { value: 'Somebody: 2 tracks, 6 minutes.' },
  })
})

test('lists playable tracks with enclosures in a podcast feed', async () => {
  const response = await send('GET', '/podcast.xml', undefined, { at: NOON })
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  const feed = await podcast(MIDNIGHT)
  expect(feed).toMatchObject({
    title: 'Any Artist',
    language: 'en-us',
    podcast: { medium: 'music' },
    itunes: { explicit: true, image: `${ORIGIN}/media/any/icon.png`, categories: [{ text: 'Music' }] },
  })
  expect(feed.items?.map(({ title, link, pubDate }) => [title, link, pubDate])).toEqual([
    ['Tomorrow', `${ORIGIN}/music/later/tomorrow`, new Date(MIDNIGHT).toUTCString()],
    ['A Song', `${ORIGIN}/music/a-release/a-song`, new Date(0).toUTCString()],
  ])
  const [enclosure] = feed.items?.[0]?.enclosures ?? []
  expect(enclosure).toEqual({ url: `${ORIGIN}/api/embed/tracks/2/audio`, length: 5000, type: 'audio/mpeg' })
  const audio = await send('GET', new URL(enclosure!.url!).pathname, undefined, { at: MIDNIGHT })
  expect([audio.status, (await audio.arrayBuffer()).byteLength]).toEqual([200, 5000])
  expect(feed.items?.[0]?.itunes).toMatchObject({ duration: 180, explicit: true })
})

test('omits a release until its time, also from cached responses', async () => {
  const { request } = newIsolate()
  for (const path of ['/feed.xml', '/podcast.xml']) {
    const listsRelease = async (at: number) => (await (await request(path, {}, at)).text()).includes('/music/later')
    expect([path, await listsRelease(NOON), await listsRelease(MIDNIGHT - 1), await listsRelease(MIDNIGHT)]).toEqual([
      path,
      false,
      false,
      true,
    ])
  }
})

test('feeds are cached, revalidated and linked from pages', async () => {
  for (const path of ['/feed.xml', '/podcast.xml']) {
    const { headers } = await send('GET', path, undefined, { at: NOON })
    const again = await send('GET', path, undefined, {
      at: NOON + SECOND_MS,
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect([path, headers.get('cache-control'), again.status]).toEqual([path, 'public, no-cache', 304])
    const page = await (await send('GET', '/subscribe', undefined, { at: NOON })).text()
    expect(page).toMatch(new RegExp(`<link rel="alternate" type="application/(atom|rss)\\+xml" [^>]*href="${path}">`))
  }
})

test('round-trips any text without injecting markup', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom(
          '&',
          '<',
          '>',
          '"',
          "'",
          ']]>',
          '<![CDATA[',
          '&amp;',
          '\u0000',
          '\u000b',
          '</title>',
          'é',
          '👩‍🎤',
        ),
        {
          maxLength: 12,
        },
      )
      .map((parts) => parts.join('')),
  )
  /** The text without the characters that XML forbids, trimmed. */
  const visible = (value: string) =>
    value.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '').trim()
  await fc.assert(
    fc.asyncProperty(text, async (name) => {
      await seedSite(env.DB, { site: { name: `a${name}b` } })
      for (const { title, count } of [
        { title: (await atom()).title?.value, count: (await atom()).entries?.length },
        { title: (await podcast()).title, count: (await podcast()).items?.length },
      ]) {
        expect(title).toBe(visible(`a${name}b`))
        expect(count).toBeGreaterThan(0)
      }
    }),
    { numRuns: 20 },
  )
  await seedSite(env.DB)
})
