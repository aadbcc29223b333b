import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { Concert } from '../contract/concerts'
import type { Product } from '../contract/products'
import type { SiteConfig } from '../contract/site'
import type { Track } from '../contract/tracks'
import { DAY_MS } from '../lib/clock'
import { errorOf, getJson, send } from '../testing/client'
import { CONCERT, PRODUCT, SITE, TRACK } from '../testing/drafts'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown) =>
  send(method, path, body, { at: NOON, headers: { cookie } })
const made = async (path: string, draft: unknown) =>
  ((await (await request('POST', path, draft)).json()) as { id: string }).id
const acts = async (subject: string) =>
  (await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY id').bind(subject).all()).results.map(
    ({ action }) => action,
  )

test('a track is public as soon as it is saved, gone as soon as it is removed, and back with an undo', async () => {
  const findPublic = async (id: string) =>
    (await getJson<Track[]>('/api/tracks')).find((track) => String(track.id) === id)
  const id = await made('/api/admin/tracks', { ...TRACK, title: 'New' })
  expect(await findPublic(id)).toMatchObject({ title: 'New', album: '', hasAudio: false })
  expect(
    (await request('PATCH', `/api/admin/tracks/${id}`, { ...TRACK, title: 'Newer', album: 'An Album' })).status,
  ).toBe(204)
  expect(await findPublic(id)).toMatchObject({ title: 'Newer', album: 'An Album', isTrending: true })
  await request('DELETE', `/api/admin/tracks/${id}`)
  expect(await findPublic(id)).toBeUndefined()
  expect((await request('PATCH', `/api/admin/tracks/${id}`, TRACK)).status).toBe(404)
  expect((await send('POST', `/api/tracks/${id}/play`, { service: 'spotify' })).status).toBe(404)
  await request('POST', `/api/admin/tracks/${id}/restore`)
  expect(await findPublic(id)).toMatchObject({ title: 'Newer' })
  expect(await acts(`track:${id}`)).toEqual(['track.added', 'track.changed', 'track.removed', 'track.restored'])
})

test('a product keeps its pictures in their order, and one that is removed is not sold', async () => {
  const findPublic = async (id: string) =>
    (await getJson<Product[]>('/api/products')).find((product) => product.id === id)
  const images = ['/media/any/b.webp', '/media/any/a.webp'].map((url) => ({ url, alt: 'A clip.' }))
  const id = await made('/api/admin/products', { ...PRODUCT, images })
  expect(await findPublic(id)).toMatchObject({ images, imageUrl: '/media/any/b.webp', price: 19.99 })
  await request('PATCH', `/api/admin/products/${id}`, { ...PRODUCT, priceCents: 8900, images: [] })
  expect(await findPublic(id)).toMatchObject({ images: [], imageUrl: '', priceCents: 8900 })
  await request('DELETE', `/api/admin/products/${id}`)
  expect(await findPublic(id)).toBeUndefined()
})

test('a show stands on its venue’s own clock, and one that ends after midnight ends the next day', async () => {
  const id = await made('/api/admin/concerts', { ...CONCERT, timeZone: 'America/Los_Angeles' })
  const row = (await getJson<Concert[]>('/api/concerts', { at: NOON })).find((show) => show.id === id)
  expect(row).toMatchObject({
    date: '2026-07-02',
    startTime: '20:00',
    endTime: '01:00',
    startsAt: '2026-07-03T03:00:00.000Z',
  })
  const { results } = await env.DB.prepare('SELECT ends_at - starts_at AS length FROM concerts WHERE id = ?')
    .bind(id)
    .all()
  expect(results).toEqual([{ length: (5 * DAY_MS) / 24 }])
  const [concert] = (await (await request('GET', '/api/admin/concerts')).json()) as { id: string }[]
  expect(concert).toEqual({ id, ...CONCERT, timeZone: 'America/Los_Angeles' })
})

test('the artist’s words are the public’s as soon as they are saved', async () => {
  await request('PATCH', '/api/admin/site', {
    ...SITE,
    name: 'Another Artist',
    links: { ...SITE.links, tiktok: 'https://t.example' },
  })
  const { artist } = await getJson<SiteConfig>('/api/config')
  expect(artist).toMatchObject({ name: 'Another Artist', links: { tiktok: 'https://t.example', spotify: '' } })
  expect(await (await send('GET', '/')).text()).toContain('<title>Another Artist')
  expect(await (await request('GET', '/api/admin/site')).json()).toMatchObject({ name: 'Another Artist' })
})

test.each([
  ['tracks', { ...TRACK, title: '' }, 'The title must not be empty.'],
  ['tracks', { ...TRACK, spotifyUrl: 'javascript:alert(1)' }, 'The Spotify link must begin with https://.'],
  [
    'tracks',
    { ...TRACK, coverUrl: 'https://elsewhere.example/a.png' },
    'The cover must be a picture that was uploaded here.',
  ],
  ['tracks', { ...TRACK, coverUrl: '/media/../secret' }, 'The cover must be a picture that was uploaded here.'],
  ['tracks', { ...TRACK, coverUrl: '/media/uploads/up_none' }, 'That picture is gone. Please send it again.'],
  // Whatever else stands in the bucket is not to be had as a track.
  ['tracks', { ...TRACK, audio: 'exports/export_1.csv' }, 'That recording is gone. Please send it again.'],
  ['tracks', { ...TRACK, audio: '../x' }, 'The recording must be one that was uploaded here.'],
  [
    'products',
    { ...PRODUCT, images: [{ url: '/media/uploads/up_none', alt: 'A clip.' }] },
    'That picture is gone. Please send it again.',
  ],
  ['concerts', { ...CONCERT, imageUrl: '/media/uploads/up_none' }, 'That picture is gone. Please send it again.'],
  ['tracks', { ...TRACK, plays: 5 }, 'That request holds a field we do not know: plays.'],
  ['products', { ...PRODUCT, priceCents: -1 }, 'The price must not be negative.'],
  ['products', { ...PRODUCT, stock: 1.5 }, 'The stock must be a whole number.'],
  ['concerts', { ...CONCERT, date: '2026-02-30' }, 'There is no such day.'],
  ['concerts', { ...CONCERT, startTime: '25:00' }, 'The start must be a time like 20:00.'],
  [
    'concerts',
    { ...CONCERT, startTime: '20:00', endTime: '20:00' },
    'The show must end at another time than it begins.',
  ],
  ['concerts', { ...CONCERT, timeZone: 'Tampa' }, 'The time zone must be one like America/New_York.'],
])('%s: %j is refused with a sentence', async (noun, draft, sentence) => {
  expect(await errorOf(await request('POST', `/api/admin/${noun}`, draft))).toEqual([400, 'bad_input', sentence])
})

test('a new show is told to who asked for its city, once; one that is over or edited is not', async () => {
  const queuedEmails = async () =>
    (await env.DB.prepare("SELECT id, state FROM broadcasts WHERE audience = 'alerts'").all()).results
  const before = (await queuedEmails()).length
  const id = await made('/api/admin/concerts', CONCERT)
  expect((await request('PATCH', `/api/admin/concerts/${id}`, { ...CONCERT, priceCents: 100 })).status).toBe(204)
  await made('/api/admin/concerts', { ...CONCERT, date: '2026-06-01' })
  const after = await queuedEmails()
  expect([after.length - before, after.some((row) => row.id === `show:${id}`)]).toEqual([1, true])
})
