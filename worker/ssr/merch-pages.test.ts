import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { products, productVariants } from '../products/products.table'
import { ORIGIN, send } from '../testing/client'
import { db } from '../testing/fixtures'
import { getPage, linkedDataOf, metaOf } from '../testing/pages'
import { seedSite } from '../testing/seed'

beforeAll(() => seedSite(env.DB))

test('lists all products on the merch page', async () => {
  const html = await getPage('/merch')
  expect(html).toContain('<title>Merch | Any Artist</title>')
  expect(linkedDataOf(html)).toMatchObject([
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
  const html = await getPage('/merch/show-1')
  expect(html).toContain('<title>Clip | Any Artist</title>')
  expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/merch/show-1">`)
  expect([metaOf(html, 'og:image'), metaOf(html, 'og:type')]).toEqual([`${ORIGIN}/media/any/clip-1.webp`, 'product'])
  expect(html).not.toContain('oembed')
  expect(metaOf(html, 'description')).toMatch(/^A word\. .{100,150} …$/)
  expect(linkedDataOf(html)).toMatchObject([
    { '@type': 'Product', offers: { url: `${ORIGIN}/merch/show-1`, availability: 'https://schema.org/OutOfStock' } },
  ])
})

// 'clip' is the product's id; its slug is 'show-1'.
test.each(['/merch/none', '/merch/SHOW-1', '/Merch', '/merch/clip'])('answers 404 for %s', async (path) => {
  const response = await send('GET', path)
  expect([response.status, metaOf(await response.text(), 'robots')]).toEqual([404, 'noindex'])
})
