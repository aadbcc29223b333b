import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Product as ProductSchema, WithContext } from 'schema-dts'
import type { Product } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { absoluteUrl } from '../lib/url'
import { productImages, products } from './products.table'

/** All products with their images, in the store's order, in one round trip. */
export async function listProducts(db: Db): Promise<Product[]> {
  const [rows, imageRows] = await db.batch([
    db.select().from(products).where(isNull(products.removedAt)).orderBy(asc(products.position), asc(products.id)),
    db.select().from(productImages).orderBy(asc(productImages.productId), asc(productImages.position)),
  ])
  return rows.map(({ id, name, description, priceCents, stock, checkoutUrl, isFeatured, ships }) => {
    const images = imageRows.filter((image) => image.productId === id).map(({ url, alt }) => ({ url, alt }))
    const imageUrl = images[0]?.url ?? ''
    return {
      id,
      name,
      description,
      price: priceCents / 100,
      priceCents,
      imageUrl,
      images,
      stock,
      checkoutUrl,
      isFeatured,
      ships,
    }
  })
}

type QuoteRequest = { productId: string; quantity: number; amountDollars: number }

/**
 * The price of `quantity` units in cents, after checking the buyer's price and the stock.
 * @throws AppError `not_found` for an unknown product, `price_changed` when `amountDollars` is not the server's price,
 *   `sold_out` when fewer than `quantity` are left.
 */
export async function quoteCents(db: Db, request: QuoteRequest): Promise<number> {
  const product = await getProduct(db, request.productId)
  const cents = verifyTotalCents(product, request)
  if (product.stock < request.quantity) throw soldOut(product.stock)
  return cents
}

/** @throws AppError `not_found`. */
export async function getProduct(db: Db, id: string): Promise<typeof products.$inferSelect> {
  const [product] = await db
    .select()
    .from(products)
    .where(and(eq(products.id, id), isNull(products.removedAt)))
  if (!product) throw new AppError('not_found', 'That product does not exist.')
  return product
}

/** The price of `quantity` units in cents. @throws AppError `price_changed` if `amountDollars` differs. */
export function verifyTotalCents(
  { priceCents }: { priceCents: number },
  { quantity, amountDollars }: Omit<QuoteRequest, 'productId'>,
) {
  const cents = priceCents * quantity
  // Tolerance: the client multiplies floats, 3 × 19.99 is 59.969999999999995.
  if (Math.abs(amountDollars * 100 - cents) > 0.001) throw priceChanged()
  return cents
}

export const priceChanged = () => new AppError('price_changed', 'The price has changed. Please refresh.')

export const soldOut = (left: number) =>
  new AppError(
    'sold_out',
    left > 0 ? `Only ${left} of these ${left === 1 ? 'is' : 'are'} left.` : 'This is sold out.',
    {
      left,
    },
  )

/** Query of the featured products, one row per image; can run in a batch. */
export const featuredProductsQuery = (db: Db) =>
  db
    .select({ product: products, imageUrl: productImages.url })
    .from(products)
    .leftJoin(productImages, eq(productImages.productId, products.id))
    .where(and(eq(products.isFeatured, true), isNull(products.removedAt)))
    .orderBy(asc(products.position), asc(products.id), asc(productImages.position))

type Rows = Awaited<ReturnType<typeof featuredProductsQuery>>

/** JSON-LD: schema.org Product, each with the offer that Google requires. */
export function productOffers(rows: Rows, brand: string, origin: string): WithContext<ProductSchema>[] {
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
