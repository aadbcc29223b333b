import { expect, test } from './fixtures'
import { openPage, scrollThroughPage } from './page'

/** About 60 % of the size of the images without AVIF. */
const MAX_IMAGE_BYTES = 245_000

test.use({ deviceScaleFactor: 2 })

test('loads small immutable images without calling the worker', { tag: '@phone' }, async ({ page }) => {
  const images: Promise<{ name: string; bytes: number; type?: string; workerRequestId?: string }>[] = []
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname
    const { 'content-type': type, 'x-request-id': workerRequestId } = response.headers()
    if (name.startsWith('/media/demo/'))
      images.push(response.body().then((body) => ({ name, bytes: body.length, type, workerRequestId })))
  })
  await openPage(page)
  await scrollThroughPage(page)
  const loaded = await Promise.all(images)
  const photos = loaded.filter(({ name }) => !name.endsWith('.png'))
  expect(photos.length).toBeGreaterThan(10)
  expect(photos.filter(({ type }) => type !== 'image/avif')).toEqual([])
  expect(loaded.filter(({ workerRequestId }) => workerRequestId)).toEqual([])
  const bytes = loaded.reduce((sum, image) => sum + image.bytes, 0)
  expect(bytes, JSON.stringify(loaded, null, 1)).toBeLessThan(MAX_IMAGE_BYTES)

  const image = page.locator('.hero-art img')
  const response = await page.request.get((await image.getAttribute('src')) ?? '')
  expect(response.status()).toBe(200)
  expect(response.headers()).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'content-type': 'image/webp',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
})
