import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Product } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { productImages, products } from './products.table'

/** Every product in the store's order, with its pictures, in one round trip. */
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
 * What `quantity` of a product costs, in cents, once the buyer has been shown to know the price (ruling 23).
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

/** The price in cents of so many. @throws AppError `price_changed` when the buyer was shown another. */
export function verifyTotalCents(
  { priceCents }: { priceCents: number },
  { quantity, amountDollars }: Omit<QuoteRequest, 'productId'>,
) {
  const cents = priceCents * quantity
  // The client multiplies dollars as fractions: 3 x 19.99 is 59.969999999999995 there.
  if (Math.abs(amountDollars * 100 - cents) > 0.001) throw priceChanged()
  return cents
}

export const priceChanged = () => new AppError('price_changed', 'The price has changed. Please refresh.')

/** The refusal of more than are left. */
export const soldOut = (left: number) =>
  new AppError(
    'sold_out',
    left > 0 ? `Only ${left} of these ${left === 1 ? 'is' : 'are'} left.` : 'This is sold out.',
    {
      left,
    },
  )
