import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import type { AdminProduct, AdminSocialPost } from '../contract/admin-content'
import type { Concert } from '../contract/concerts'
import type { Product } from '../contract/products'
import type { SiteConfig } from '../contract/site'
import type { Track } from '../contract/tracks'
import { HOUR_MS } from '../lib/clock'
import { errorOf, getJson, send, statusAndCodeOf } from '../testing/client'
import {
  CONCERT_DRAFT,
  PRODUCT_DRAFT,
  RELEASE_DRAFT,
  SITE_DRAFT,
  SOCIAL_POST_DRAFT,
  TIER_DRAFT,
  TRACK_DRAFT,
} from '../testing/drafts'
import { loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'

let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})
const request = (method: string, path: string, body?: unknown) =>
  send(method, `/api/admin/${path}`, body, { at: NOON, headers: { cookie } })
const add = async (path: string, draft: unknown) =>
  ((await (await request('POST', path, draft)).json()) as { id: string }).id
const auditActions = async (subject: string) =>
  (await env.DB.prepare('SELECT action FROM audit_log WHERE subject = ? ORDER BY id').bind(subject).all()).results.map(
    ({ action }) => action,
  )
const getConfig = () => getJson<SiteConfig>('/api/config')

test('adds, changes, removes and restores a track', async () => {
  const findPublic = async (id: string) =>
    (await getJson<Track[]>('/api/tracks')).find((track) => String(track.id) === id)
  const id = await add('tracks', { ...TRACK_DRAFT, title: 'New' })
  expect(await findPublic(id)).toMatchObject({ title: 'New', album: '', hasAudio: false })
  expect((await request('PATCH', `tracks/${id}`, { ...TRACK_DRAFT, title: 'Newer', album: 'An Album' })).status).toBe(
    204,
  )
  expect(await findPublic(id)).toMatchObject({ title: 'Newer', album: 'An Album', isTrending: true })
  await request('DELETE', `tracks/${id}`)
  expect(await findPublic(id)).toBeUndefined()
  expect((await request('PATCH', `tracks/${id}`, TRACK_DRAFT)).status).toBe(404)
  expect((await send('POST', `/api/tracks/${id}/play`, { service: 'spotify' })).status).toBe(404)
  await request('POST', `tracks/${id}/restore`)
  expect(await findPublic(id)).toMatchObject({ title: 'Newer' })
  expect(await auditActions(`track:${id}`)).toEqual(['track.added', 'track.changed', 'track.removed', 'track.restored'])
})

test('saves product images in order and removes products', async () => {
  const findPublic = async (id: string) =>
    (await getJson<Product[]>('/api/products')).find((product) => product.id === id)
  const images = ['/media/any/b.webp', '/media/any/a.webp'].map((url) => ({ url, alt: 'A clip.' }))
  const id = await add('products', { ...PRODUCT_DRAFT, images })
  expect(await findPublic(id)).toMatchObject({ images, imageUrl: '/media/any/b.webp', price: 19.99 })
  await request('PATCH', `products/${id}`, { ...PRODUCT_DRAFT, priceCents: 8900, images: [] })
  expect(await findPublic(id)).toMatchObject({ images: [], imageUrl: '', priceCents: 8900 })
  await request('DELETE', `products/${id}`)
  expect(await findPublic(id)).toBeUndefined()
})

test('rejects a save based on an outdated version', async () => {
  const id = await add('products', { ...PRODUCT_DRAFT, name: 'Shared' })
  const find = async () =>
    ((await (await request('GET', 'products')).json()) as AdminProduct[]).find((product) => product.id === id)
  const { version = 0 } = (await find()) ?? {}
  const first = { ...PRODUCT_DRAFT, name: 'First', version }
  const second = { ...PRODUCT_DRAFT, name: 'Second', images: [], version }
  expect((await request('PATCH', `products/${id}`, first)).status).toBe(204)
  expect(await errorOf(await request('PATCH', `products/${id}`, second))).toEqual([
    409,
    'conflict',
    expect.stringContaining('Someone else has saved this'),
  ])
  expect(await find()).toMatchObject({ name: 'First', images: PRODUCT_DRAFT.images, version: version + 1 })
  expect((await request('PATCH', `products/${id}`, { ...second, version: version + 1 })).status).toBe(204)
  expect(await find()).toMatchObject({ name: 'Second', images: [] })
})

test('accepts one of three concurrent saves of one version', async () => {
  const id = await add('concerts', { ...CONCERT_DRAFT, venue: 'Race Hall' })
  const statuses = await Promise.all(
    ['A', 'B', 'C'].map(
      async (region) => (await request('PATCH', `concerts/${id}`, { ...CONCERT_DRAFT, region, version: 1 })).status,
    ),
  )
  expect(statuses.sort()).toEqual([204, 409, 409])
  expect(await auditActions(`concert:${id}`)).toEqual(['concert.added', 'concert.changed'])
})

test('saves a product as the list returns it', async () => {
  const id = await add('products', { ...PRODUCT_DRAFT, name: 'Listed' })
  const find = async () =>
    ((await (await request('GET', 'products')).json()) as AdminProduct[]).find((product) => product.id === id)
  const listed = await find()
  if (!listed) throw new Error('The product is not listed.')
  const { id: _, version, variants, ...draft } = listed
  const saved = { ...draft, variants: variants.map(({ name: _, ...variant }) => variant) }
  expect((await request('PATCH', `products/${id}`, saved)).status).toBe(204)
  expect(await find()).toEqual({ ...listed, version: version + 1 })
  const unlimited = { ...saved, variants: saved.variants.map((variant) => ({ ...variant, stock: null })) }
  expect((await request('PATCH', `products/${id}`, unlimited)).status).toBe(204)
  expect((await find())?.variants).toMatchObject([{ stock: null }])
  const inStore = (await getJson<Product[]>('/api/products')).find((product) => product.id === id)
  expect(inStore?.stock).toBeGreaterThan(0)
})

test.each([
  ['products', PRODUCT_DRAFT, { name: 'Näme  One!' }, 'name-one'],
  [
    'concerts',
    CONCERT_DRAFT,
    { venue: 'Jo’s Hall', city: 'St. Petersburg' },
    `jos-hall-st-petersburg-${CONCERT_DRAFT.date}`,
  ],
  // Longer than the 50 bytes that D1 allows in a LIKE pattern.
  [
    'concerts',
    CONCERT_DRAFT,
    { venue: 'The Old Brass Anchor Lighthouse Pavilion', city: 'The Keys' },
    `the-old-brass-anchor-lighthouse-pavilion-the-keys-${CONCERT_DRAFT.date}`,
  ],
] as const)('gives %s permanent slugs', async (path, draft, changes, slug) => {
  const slugOf = async (id: string) =>
    (await (await request('GET', path)).json<{ id: string; slug: string }[]>()).find((row) => row.id === id)?.slug
  const id = await add(path, { ...draft, ...changes })
  expect(await slugOf(id)).toBe(slug)
  expect(await slugOf(await add(path, { ...draft, ...changes }))).toBe(`${slug}-2`)
  expect(await slugOf(await add(path, { ...draft, slug: `chosen-${slug}` }))).toBe(`chosen-${slug}`)
  expect((await request('PATCH', `${path}/${id}`, draft)).status).toBe(204)
  expect(await slugOf(id)).toBe(slug)
  expect(await errorOf(await request('PATCH', `${path}/${id}`, { ...draft, slug: 'another' }))).toEqual([
    409,
    'conflict',
    'That address is already public and cannot change.',
  ])
})

test.each([
  ['products', PRODUCT_DRAFT],
  ['concerts', CONCERT_DRAFT],
  ['tracks', TRACK_DRAFT],
  ['releases', RELEASE_DRAFT],
] as const)('gives concurrently added %s different slugs', async (path, draft) => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => request('POST', path, draft)))
  expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201))
  const ids = await Promise.all(responses.map(async (response) => (await response.json<{ id: string }>()).id))
  const rows = await (await request('GET', path)).json<{ id: string; slug: string }[]>()
  expect(new Set(rows.filter(({ id }) => ids.includes(id)).map(({ slug }) => slug)).size).toBe(6)
})

test('concurrent renames to a taken slug keep the old slugs', async () => {
  const products = async () => (await request('GET', 'products')).json<{ id: string; slug: string }[]>()
  const ids = [await add('products', PRODUCT_DRAFT), await add('products', PRODUCT_DRAFT)]
  const before = (await products()).filter(({ id }) => ids.includes(id)).map(({ slug }) => slug)
  const draft = { ...PRODUCT_DRAFT, slug: 'wanted' }
  const [added, ...renamed] = await Promise.all([
    request('POST', 'products', draft),
    ...ids.map((id) => request('PATCH', `products/${id}`, draft)),
  ])
  expect([added?.status, ...renamed.map(({ status }) => status)]).toEqual([201, 409, 409])
  expect((await products()).filter(({ id }) => ids.includes(id)).map(({ slug }) => slug)).toEqual(before)
})

test('reads concert times in the venue’s time zone', async () => {
  const id = await add('concerts', { ...CONCERT_DRAFT, timeZone: 'America/Los_Angeles' })
  const concert = (await getJson<Concert[]>('/api/concerts', { at: NOON })).find((show) => show.id === id)
  expect(concert).toMatchObject({
    date: '2026-07-02',
    startTime: '20:00',
    endTime: '01:00',
    startsAt: '2026-07-03T03:00:00.000Z',
  })
  const { results } = await env.DB.prepare('SELECT ends_at - starts_at AS length FROM concerts WHERE id = ?')
    .bind(id)
    .all()
  expect(results).toEqual([{ length: 5 * HOUR_MS }])
  const [adminConcert] = (await (await request('GET', 'concerts')).json()) as { id: string }[]
  expect(adminConcert).toMatchObject({ id, ...CONCERT_DRAFT, timeZone: 'America/Los_Angeles' })
})

test('publishes a saved artist profile', async () => {
  await request('PATCH', 'site', {
    ...SITE_DRAFT,
    name: 'Another Artist',
    links: { ...SITE_DRAFT.links, tiktok: 'https://t.example' },
  })
  const { artist } = await getConfig()
  expect(artist).toMatchObject({ name: 'Another Artist', links: { tiktok: 'https://t.example', spotify: '' } })
  expect(await (await send('GET', '/')).text()).toContain('<title>Another Artist')
  // The form sends the values that it loaded.
  const loaded = await (await request('GET', 'site')).json()
  expect(loaded).toMatchObject({ name: 'Another Artist' })
  expect((await request('PATCH', 'site', loaded)).status).toBe(204)
})

test.each([
  ['tracks', { ...TRACK_DRAFT, title: '' }, 'The title is required.'],
  ['tracks', { ...TRACK_DRAFT, spotifyUrl: 'javascript:alert(1)' }, 'The Spotify link must begin with https://.'],
  [
    'tracks',
    { ...TRACK_DRAFT, coverUrl: 'https://elsewhere.example/a.png' },
    'The cover must be a picture that was uploaded here.',
  ],
  ['tracks', { ...TRACK_DRAFT, coverUrl: '/media/../secret' }, 'The cover must be a picture that was uploaded here.'],
  ['tracks', { ...TRACK_DRAFT, coverUrl: '/media/uploads/up_none' }, 'That picture is gone. Please send it again.'],
  // Files outside uploads/ cannot become a track's audio.
  ['tracks', { ...TRACK_DRAFT, audio: 'exports/export_1.csv' }, 'That recording is gone. Please send it again.'],
  ['tracks', { ...TRACK_DRAFT, audio: '../x' }, 'The recording must be one that was uploaded here.'],
  [
    'products',
    { ...PRODUCT_DRAFT, images: [{ url: '/media/uploads/up_none', alt: 'A clip.' }] },
    'That picture is gone. Please send it again.',
  ],
  ['concerts', { ...CONCERT_DRAFT, imageUrl: '/media/uploads/up_none' }, 'That picture is gone. Please send it again.'],
  ['tracks', { ...TRACK_DRAFT, plays: 5 }, 'That request contains an unknown field: plays.'],
  ['products', { ...PRODUCT_DRAFT, priceCents: -1 }, 'The price must not be negative.'],
  ['products', { ...PRODUCT_DRAFT, stock: 1.5 }, 'The stock must be a whole number.'],
  ['concerts', { ...CONCERT_DRAFT, date: '2026-02-30' }, 'There is no such day.'],
  ['concerts', { ...CONCERT_DRAFT, startTime: '25:00' }, 'The start must be a time like 20:00.'],
  [
    'concerts',
    { ...CONCERT_DRAFT, startTime: '20:00', endTime: '20:00' },
    'The start and end times must be different.',
  ],
  ['concerts', { ...CONCERT_DRAFT, country: 'USA' }, 'The country must be at most 2 characters.'],
  ['concerts', { ...CONCERT_DRAFT, country: 'U1' }, 'The country has two letters, such as US.'],
  [
    'products',
    { ...PRODUCT_DRAFT, slug: 'Not A Slug' },
    'The address can have lowercase letters, digits and single hyphens.',
  ],
  ['concerts', { ...CONCERT_DRAFT, timeZone: 'Tampa' }, 'The time zone must be one like America/New_York.'],
])('rejects %s draft %j', async (path, draft, message) => {
  expect(await errorOf(await request('POST', path, draft))).toEqual([400, 'bad_input', message])
})

test.each([
  ['concerts', CONCERT_DRAFT, 'That show does not exist.'],
  ['social-posts', SOCIAL_POST_DRAFT, 'That post does not exist.'],
])('an unknown id of %s gets 404 with a message', async (path, draft, message) => {
  expect(await errorOf(await request('PATCH', `${path}/none`, draft))).toEqual([404, 'not_found', message])
})

test('announces a new concert once, not past or changed ones', async () => {
  const announcements = async () =>
    (await env.DB.prepare("SELECT id, state FROM broadcasts WHERE audience = 'alerts'").all()).results
  const before = (await announcements()).length
  const id = await add('concerts', CONCERT_DRAFT)
  expect((await request('PATCH', `concerts/${id}`, { ...CONCERT_DRAFT, priceCents: 100 })).status).toBe(204)
  await add('concerts', { ...CONCERT_DRAFT, date: '2026-06-01' })
  const after = await announcements()
  expect([after.length - before, after.some((row) => row.id === `show:${id}`)]).toEqual([1, true])
})

test('changes tiers and marks at most one popular', async () => {
  for (const id of ['gold', 'silver'])
    expect(
      (await request('PATCH', `tiers/${id}`, { ...TIER_DRAFT, name: `My ${id}`, features: ['One', ' ', 'Two'] }))
        .status,
    ).toBe(204)
  const { tiers } = await getConfig()
  expect(tiers.filter(({ popular }) => popular).map(({ id }) => id)).toEqual(['silver'])
  expect(tiers.find(({ id }) => id === 'gold')).toMatchObject({
    name: 'My gold',
    priceCents: TIER_DRAFT.priceCents,
    features: ['One', 'Two'],
  })
  expect(await errorOf(await request('PATCH', 'tiers/bronze', TIER_DRAFT))).toEqual([
    400,
    'bad_input',
    'Bronze is free.',
  ])
  expect((await request('PATCH', 'tiers/vip', TIER_DRAFT)).status).toBe(404)
})

test('adds, changes, removes and restores a social post', async () => {
  const titles = async () => (await getConfig()).artist.socialPosts.map(({ title }) => title)
  const { id } = await (await request('POST', 'social-posts', SOCIAL_POST_DRAFT)).json<{ id: string }>()
  expect(await titles()).toContain(SOCIAL_POST_DRAFT.title)
  await request('PATCH', `social-posts/${id}`, { ...SOCIAL_POST_DRAFT, title: 'Newer' })
  expect(await titles()).toContain('Newer')
  const adminPosts = async () => (await request('GET', 'social-posts')).json<AdminSocialPost[]>()
  const before = await adminPosts()
  expect((await request('DELETE', `social-posts/${id}`)).status).toBe(204)
  expect(await titles()).not.toContain('Newer')
  expect((await adminPosts()).map((row) => row.id)).not.toContain(id)
  expect((await request('POST', `social-posts/${id}/restore`)).status).toBe(204)
  expect([await adminPosts(), (await titles()).includes('Newer')]).toEqual([before, true])
  await request('DELETE', `social-posts/${id}`)
  for (const response of [
    await request('DELETE', `social-posts/${id}`),
    await request('PATCH', `social-posts/${id}`, SOCIAL_POST_DRAFT),
  ])
    expect(response.status).toBe(404)
  const unknownImage = await request('POST', 'social-posts', {
    ...SOCIAL_POST_DRAFT,
    imageUrl: '/media/uploads/up_none',
  })
  expect(await errorOf(unknownImage)).toEqual([400, 'bad_input', 'That picture is gone. Please send it again.'])
  expect((await errorOf(await request('POST', 'social-posts', { ...SOCIAL_POST_DRAFT, url: '' })))[2]).toBe(
    'The link is required.',
  )
})

test.each(['tracks', 'products', 'social-posts'])('reorders %s only by a complete list', async (path) => {
  const read = async () =>
    (await (await request('GET', path)).json()) as {
      id: string
      version: number
    }[]
  if (path === 'social-posts') for (const title of ['One', 'Two']) await add(path, { ...SOCIAL_POST_DRAFT, title })
  const before = await read()
  const [first, ...others] = before.map(({ id }) => id)
  const order = (ids: readonly (string | undefined)[]) => request('POST', `${path.slice(0, -1)}-order`, { ids })
  expect((await order([...others, first])).status).toBe(204)
  const after = await read()
  expect(after.map(({ id }) => id)).toEqual([...others, first])
  for (const incomplete of [others, [...others, first, 'none'], [...others, 'none']])
    if (incomplete.length > 0) expect(await statusAndCodeOf(await order(incomplete))).toEqual([409, 'conflict'])
  expect(await statusAndCodeOf(await order([first, first]))).toEqual([400, 'bad_input'])
  expect((await read()).map(({ id }) => id)).toEqual([...others, first])
  // The version changes, so that an open form of a moved record is outdated.
  const versionOf = (rows: typeof before) => rows.find(({ id }) => id === first)?.version
  if (others.length > 0) expect(versionOf(after)).toBe((versionOf(before) ?? 0) + 1)
})
