import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { avifUrl, resizedImageUrl } from '../contract/images'
import { UploadedImage, uploadsApi } from '../contract/uploads'
import { HOUR_MS } from '../lib/clock'
import { send } from '../testing/client'
import { PRODUCT_DRAFT } from '../testing/drafts'
import { buildPng } from '../testing/files'
import { db, loadFixtures } from '../testing/fixtures'
import { NOON } from '../testing/seed'
import { cookieHeaderFor } from '../testing/users'
import { deleteUploads } from './cleanup'
import { convertImage, type ImagesService } from './convert-image'
import { syncPublicImages } from './public-images'

/** Miniflare's simulation, which converts with sharp. */
const images = (env as unknown as { LOCAL_IMAGES: ImagesBinding }).LOCAL_IMAGES
let cookie = ''
beforeAll(async () => {
  await loadFixtures()
  cookie = await cookieHeaderFor('administrator')
})

/** A black JPEG. */
async function photo(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const source = new Blob([new Uint8Array(buildPng(width, height))]).stream()
  const output = await images.input(source).output({ format: 'image/jpeg' })
  return new Uint8Array(await output.response().arrayBuffer())
}

type Bindings = { IMAGES: ImagesService }
const post = (path: string, raw: BodyInit, type: string, bindings: Bindings = { IMAGES: images }) =>
  send('POST', path, undefined, { at: NOON, raw, env: bindings, headers: { cookie, 'content-type': type } })
const upload = async (search: string, raw: BodyInit, type: string, bindings?: Bindings) =>
  UploadedImage.parse(await (await post(uploadsApi.image.path + search, raw, type, bindings)).json())
const typeOf = async (url: string) => {
  const response = await send('GET', url, undefined, { at: NOON, headers: { cookie } })
  await response.arrayBuffer()
  return [response.status, response.headers.get('content-type')]
}

test('converts an upload and its variants to AVIF and WebP', async () => {
  const { id, url } = await upload('?color=532', await photo(400, 200), 'image/jpeg')
  expect(url).toMatch(/^\/media\/uploads\/up_[\w-]+\.c532\.webp$/)
  const variant = uploadsApi.variant.path.replace(':id', id).replace(':width', '320')
  expect((await post(variant, await photo(320, 160), 'image/jpeg')).status).toBe(204)
  expect((await post(variant, await photo(320, 160), 'image/jpeg')).status).toBe(409)
  const avif = avifUrl(url) ?? ''
  const urls = [url, resizedImageUrl(url, 320), avif, resizedImageUrl(avif, 320)]
  expect(await Promise.all(urls.map(typeOf))).toEqual([
    [200, 'image/webp'],
    [200, 'image/webp'],
    [200, 'image/avif'],
    [200, 'image/avif'],
  ])
  await deleteUploads({ db, files: env.FILES }, [`uploads/${id}`])
  expect((await env.FILES.list({ prefix: `uploads/${id.slice(0, 20)}` })).objects).toEqual([])
})

test.each([
  ['without the binding', '?color=532', 'image/jpeg', undefined, /up_[\w-]+\.c532$/],
  ['without a color', '', 'image/jpeg', images, /up_[\w-]+$/],
  ['with another color', '?color=../../x', 'image/jpeg', images, /up_[\w-]+$/],
  ['as PNG', '?color=532', 'image/png', images, /up_[\w-]+\.c532$/],
])('an upload %s has one format', async (_, search, type, IMAGES, pattern) => {
  const file = type === 'image/png' ? buildPng(40, 20) : await photo(40, 20)
  const { url } = await upload(search, new Uint8Array(file), type, { IMAGES })
  expect(url).toMatch(pattern)
  expect(await typeOf(url)).toEqual([200, type])
})

test('the public bucket has both formats', async () => {
  const { PUBLIC_BUCKET: bucket } = env as unknown as { PUBLIC_BUCKET: R2Bucket }
  const { url } = await upload('?color=532', await photo(400, 200), 'image/jpeg')
  const draft = { ...PRODUCT_DRAFT, name: 'Both', images: [{ url, alt: 'A clip.' }] }
  expect((await send('POST', '/api/admin/products', draft, { at: NOON, headers: { cookie } })).status).toBe(201)
  await syncPublicImages({ db, files: env.FILES, bucket }, NOON + HOUR_MS)
  const { objects } = await bucket.list({ prefix: url.slice(1).replace('.webp', '') })
  expect(objects.filter(({ key }) => key.endsWith('.avif')).length).toBe(objects.length / 2)
  expect(objects.map(({ key }) => `/${key}`)).toContain(resizedImageUrl(avifUrl(url) ?? '', 320))
  const bindings = { PUBLIC_IMAGES: bucket, PUBLIC_IMAGES_ORIGIN: 'https://images.fan.example' }
  const products = await send('GET', '/api/products', undefined, { at: NOON, env: bindings })
  expect(await products.text()).toContain(`"https://images.fan.example${url}"`)
})

test('returns null if the conversion fails', async () => {
  expect(await convertImage(images, { bytes: new Uint8Array([1, 2, 3]), contentType: 'image/jpeg' })).toBe(null)
})
