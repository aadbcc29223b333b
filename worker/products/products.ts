import { and, asc, eq, isNull } from 'drizzle-orm'
import { type Product, productPath } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { productImages, products } from './products.table'

/** All products with their images, in the store's order, in one round trip. */
export const listProducts = async (db: Db): Promise<Product[]> => toProducts(...(await db.batch(productQueries(db))))

/** Queries of all products and of their images, for a batch; `toProducts` reads the results. */
export const productQueries = (db: Db) =>
  [
    db.select().from(products).where(isNull(products.removedAt)).orderBy(asc(products.position), asc(products.id)),
    db.select().from(productImages).orderBy(asc(productImages.productId), asc(productImages.position)),
  ] as const

export const toProducts = (
  rows: readonly (typeof products.$inferSelect)[],
  imageRows: readonly (typeof productImages.$inferSelect)[],
): Product[] =>
  rows.map(({ id, slug, name, description, priceCents, stock, checkoutUrl, isFeatured, ships }) => {
    const images = imageRows.filter((image) => image.productId === id).map(({ url, alt }) => ({ url, alt }))
    const imageUrl = images[0]?.url ?? ''
    return {
      id,
      slug,
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

/** Paths of all product pages, in the store's order. */
export async function productPaths(db: Db): Promise<string[]> {
  return (await listProducts(db)).map(({ slug }) => productPath(slug))
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
  if (!product) throw productNotFound()
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

export const productNotFound = () => new AppError('not_found', 'That product does not exist.')

export const priceChanged = () => new AppError('price_changed', 'The price has changed. Please refresh.')

export const soldOut = (remaining: number) =>
  new AppError(
    'sold_out',
    remaining > 0 ? `Only ${remaining} of these ${remaining === 1 ? 'is' : 'are'} left.` : 'This is sold out.',
    { remaining },
  )
