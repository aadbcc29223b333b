import { env } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { communityApi } from '../contract/community'
import { IMAGE_WIDTHS } from '../contract/images'
import { UploadedImage, uploadsApi } from '../contract/uploads'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS } from '../lib/clock'
import { newIsolate, send } from '../testing/client'
import { PRODUCT_DRAFT, RELEASE_DRAFT } from '../testing/drafts'
import { buildPng } from '../testing/files'
import { addUser, db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { withMethods } from '../testing/stores'
import { cookieHeaderFor, sessionFor } from '../testing/users'
import { deleteUnreferencedUploads } from './cleanup'
import { syncPublicImages } from './public-images'

const { PUBLIC_BUCKET: bucket } = env as unknown as { PUBLIC_BUCKET: R2Bucket }
const IMAGES_ORIGIN = 'https://images.fan.example'
const bindings = { PUBLIC_IMAGES: bucket, PUBLIC_IMAGES_ORIGIN: IMAGES_ORIGIN }
let cookie = ''

beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

const sync = (at: Millis, to = bucket) => syncPublicImages({ db, files: env.FILES, bucket: to }, at)
const copiesOf = async (url: string) =>
  (await bucket.list({ prefix: url.slice(1) })).objects.map(({ key }) => `/${key}`).sort()
const allSizes = (url: string) => [url, ...IMAGE_WIDTHS.map((width) => `${url}@${width}`)].sort()
const read = async (path: string, at = NOON, headers = {}) =>
  (await send('GET', path, undefined, { at, headers, env: bindings })).text()

const upload = (path: string, raw: BodyInit, headers = {}) =>
  send('POST', path, undefined, { at: NOON, raw, headers: { cookie, 'content-type': 'image/png', ...headers } })
async function uploadImage() {
  const { id, url } = UploadedImage.parse(await (await upload(uploadsApi.image.path, buildPng(700, 350))).json())
  await upload(`/api/admin/uploads/pictures/${id}/320`, buildPng(320, 160))
  return url
}
async function save(path: string, draft: unknown): Promise<{ id: string }> {
  const response = await send('POST', path, draft, { at: NOON, headers: { cookie } })
  expect(response.status).toBe(201)
  return response.json()
}
async function change(path: string, draft: unknown) {
  expect((await send('PATCH', path, draft, { at: NOON, headers: { cookie } })).status).toBe(204)
}
async function addProduct(name: string) {
  const url = await uploadImage()
  const draft = { ...PRODUCT_DRAFT, name, images: [{ url, alt: 'A clip.' }] }
  return { url, draft, ...(await save('/api/admin/products', draft)) }
}

test('an image of the artist is copied in every width', async () => {
  const { url } = await addProduct('Copied')
  // Within `imageVariantWindowMinutes`, more widths may be uploaded.
  await sync(NOON + 29 * 60 * SECOND_MS)
  expect(await copiesOf(url)).toEqual([])
  await sync(NOON + HOUR_MS)
  expect(await copiesOf(url)).toEqual(allSizes(url))
  const contentAt = async (width: number) => (await bucket.get(`${url.slice(1)}@${width}`))?.text()
  expect(await contentAt(180)).toEqual(await contentAt(320))
  expect(await contentAt(320)).not.toEqual(await contentAt(480))
  expect((await bucket.head(url.slice(1)))?.httpMetadata).toEqual({
    contentType: 'image/png',
    cacheControl: 'public, max-age=31536000, s-maxage=3600, immutable',
  })
})

test('public responses link to the copy', async () => {
  const { url } = await addProduct('Named')
  const { headers } = await sessionFor(await addUser(), NOON)
  expect(await read('/api/products')).toContain(`"${url}"`)
  await sync(NOON + HOUR_MS)
  for (const path of ['/api/products', '/merch']) {
    expect(await read(path)).toContain(`"${IMAGES_ORIGIN}${url}`)
    expect(await read(path, NOON, headers)).not.toMatch(new RegExp(`(?<!${IMAGES_ORIGIN})${url}`))
  }
  expect(await (await send('GET', '/api/products', undefined, { at: NOON })).text()).toContain(`"${url}"`)
})

test('cached responses link to a copy once it exists', async () => {
  const { url } = await addProduct('Cached')
  const { request } = newIsolate()
  const products = async (at: Millis) => (await request('/api/products', {}, at, 'GET', bindings)).text()
  expect(await products(NOON)).toContain(`"${url}"`)
  await sync(NOON + HOUR_MS)
  expect(await products(NOON + 6 * SECOND_MS)).toContain(`"${IMAGES_ORIGIN}${url}"`)
})

test('pages and embeds may load images from the bucket', async () => {
  const policy = async (path: string, env = {}) =>
    /img-src [^;]+/.exec(
      (await send('GET', path, undefined, { at: NOON, env })).headers.get('content-security-policy')!,
    )?.[0]
  for (const path of ['/', '/healthz']) {
    expect(await policy(path)).toBe("img-src 'self' data:")
    expect(await policy(path, bindings)).toBe(`img-src 'self' data: ${IMAGES_ORIGIN}`)
  }
  expect(await policy('/embed/a-release', bindings)).toBe(`img-src https://fan.example ${IMAGES_ORIGIN}`)
})

test('link previews show the copy', async () => {
  const url = await uploadImage()
  await save('/api/admin/releases', { ...RELEASE_DRAFT, title: 'Shared', coverUrl: url })
  await sync(NOON + HOUR_MS)
  expect(await read('/music/shared')).toContain(`<meta property="og:image" content="${IMAGES_ORIGIN}${url}`)
})

test('a cover is copied only while its release is public', async () => {
  const url = await uploadImage()
  const releasedAt = new Date(NOON + DAY_MS).toISOString()
  await save('/api/admin/releases', { ...RELEASE_DRAFT, title: 'Tomorrow', coverUrl: url, releasedAt })
  await sync(NOON + HOUR_MS)
  expect(await copiesOf(url)).toEqual([])
  await sync(NOON + DAY_MS)
  expect(await copiesOf(url)).toEqual(allSizes(url))
  await sync(NOON + HOUR_MS)
  expect(await copiesOf(url)).toEqual([])
})

test('images in use stay public after their administrator is erased', async () => {
  const { url } = await addProduct('Inherited')
  const unused = await uploadImage()
  await sync(NOON + HOUR_MS)
  await db.run(sql`UPDATE uploads SET is_dropped = 1 WHERE '/media/uploads/' || id IN (${url}, ${unused})`)
  await sync(NOON + 2 * HOUR_MS)
  expect(await copiesOf(url)).toEqual(allSizes(url))
  const visitorStatus = async (path: string) => (await send('GET', path, undefined, { at: NOON })).status
  expect([await visitorStatus(url), await visitorStatus(unused)]).toEqual([200, 404])
})

test('copies no images of supporters', async () => {
  const { headers } = await sessionFor(await addUser(), NOON)
  const sent = UploadedImage.parse(await (await upload('/api/community/pictures', buildPng(8, 8), headers)).json())
  const post = { text: 'Look', picture: { id: sent.id, alt: 'A stage' } }
  expect((await send('POST', communityApi.posts.path, post, { at: NOON, headers })).status).toBe(201)
  await sync(NOON + HOUR_MS)
  expect(await copiesOf(sent.url)).toEqual([])
})

test('deletes the copy of a replaced image, then the original', async () => {
  const { id, url, draft } = await addProduct('Replaced')
  await sync(NOON + HOUR_MS)
  await change(`/api/admin/products/${id}`, { ...draft, images: PRODUCT_DRAFT.images })
  const cleanUp = () => deleteUnreferencedUploads({ db, files: env.FILES }, NOON + 3 * DAY_MS)
  await cleanUp()
  expect(await env.FILES.head(url.replace('/media/', ''))).not.toBe(null)
  await sync(NOON + 3 * DAY_MS)
  expect(await copiesOf(url)).toEqual([])
  await cleanUp()
  expect(await env.FILES.head(url.replace('/media/', ''))).toBe(null)
})

test('repeats an interrupted copy before linking to it', async () => {
  const { url } = await addProduct('Interrupted')
  const failing = withMethods(bucket, { put: () => Promise.reject(new Error('unavailable')) })
  await expect(sync(NOON + HOUR_MS, failing)).rejects.toThrow('unavailable')
  expect(await read('/api/products')).toContain(`"${url}"`)
  await sync(NOON + HOUR_MS)
  expect(await read('/api/products')).toContain(`"${IMAGES_ORIGIN}${url}"`)
})

test('deletes the rows of copies when the bucket is removed', async () => {
  await addProduct('Unbound')
  await sync(NOON + HOUR_MS)
  await syncPublicImages({ db, files: env.FILES, bucket: undefined }, NOON)
  expect(await env.DB.prepare('SELECT count(*) FROM public_images').first('count(*)')).toBe(0)
})

test('does not change URLs of other sites', async () => {
  const { url } = await addProduct('Quoted')
  await sync(NOON + HOUR_MS)
  const quote = `https://fan.example.evil${url} and https://fan.example${url}`
  await save('/api/admin/products', { ...PRODUCT_DRAFT, name: 'Quote', description: quote })
  expect(await read('/api/products')).toContain(`https://fan.example.evil${url} and ${IMAGES_ORIGIN}${url}`)
})
