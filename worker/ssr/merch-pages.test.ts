import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { products, productVariants } from '../products/products.table'
import { ORIGIN, send } from '../testing/client'
import { db } from '../testing/fixtures'
import { NOON, seedSite } from '../testing/seed'

beforeAll(() => seedSite(env.DB))

const page = async (path: string) => (await send('GET', path, undefined, { at: NOON })).text()
const meta = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1]
const linkedData = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(([, json]) => JSON.parse(json ?? ''))

test('lists all products on the merch page', async () => {
  const html = await page('/merch')
  expect(html).toContain('<title>Merch | Any Artist</title>')
  expect(linkedData(html)).toMatchObject([
    {
      '@type': 'ItemList',
      numberOfItems: 1,
      itemListElement: [{ position: 1, item: { '@type': 'Product', name: 'Clip', offers: { price: '19.99' } } }],
    },
  ])
})

test('describes a product page and its offer', async () => {
  await db
    .update(products)
    .set({ description: 'A word. '.repeat(40) })
    .where(eq(products.id, 'clip'))
  await db.update(productVariants).set({ stock: 0 }).where(eq(productVariants.productId, 'clip'))
  const html = await page('/merch/show-1')
  expect(html).toContain('<title>Clip | Any Artist</title>')
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/merch/show-1">`)
  expect([meta(html, 'og:image'), meta(html, 'og:type')]).toEqual([`${ORIGIN}/media/any/clip-1.webp`, 'product'])
  expect(html).not.toContain('oembed')
  expect(meta(html, 'description')).toMatch(/^A word\. .{100,150} …$/)
  expect(linkedData(html)).toMatchObject([
    { '@type': 'Product', offers: { url: `${ORIGIN}/merch/show-1`, availability: 'https://schema.org/OutOfStock' } },
  ])
})

// 'clip' is the product's id; its slug is 'show-1'.
test.each(['/merch/none', '/merch/SHOW-1', '/Merch', '/merch/clip'])('answers 404 for %s', async (path) => {
  const response = await send('GET', path)
  expect([response.status, meta(await response.text(), 'robots')]).toEqual([404, 'noindex'])
})
