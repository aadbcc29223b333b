import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Db } from '../db/client'
import { absoluteUrl } from '../lib/url'
import { productImages, products } from './products.table'

/** The query for the featured products with their pictures, one row a picture: to be run alone or in a batch. */
export const featuredProductsQuery = (db: Db) =>
  db
    .select({ product: products, imageUrl: productImages.url })
    .from(products)
    .leftJoin(productImages, eq(productImages.productId, products.id))
    .where(and(eq(products.isFeatured, true), isNull(products.removedAt)))
    .orderBy(asc(products.position), asc(products.id), asc(productImages.position))

type Rows = Awaited<ReturnType<typeof featuredProductsQuery>>

/** Products for search engines: schema.org Product, each with the offer that Google's documentation requires. */
export function productOffers(rows: Rows, brand: string, origin: string): object[] {
  return [...new Map(rows.map(({ product }) => [product.id, product])).values()].map((product) => ({
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': `${origin}/#product-${encodeURIComponent(product.id)}`,
    name: product.name,
    description: product.description,
    image: rows.flatMap((row) =>
      row.product.id === product.id && row.imageUrl ? [absoluteUrl(row.imageUrl, origin)] : [],
    ),
    brand: { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      price: (product.priceCents / 100).toFixed(2),
      priceCurrency: 'USD',
      itemCondition: 'https://schema.org/NewCondition',
      availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
      url: product.checkoutUrl || `${origin}/checkout?product=${encodeURIComponent(product.id)}`,
    },
  }))
}
