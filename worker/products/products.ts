import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { type Product, type ProductVariant, productPath } from '../contract/products'
import type { Db } from '../db/client'
import { AppError } from '../lib/app-error'
import { toIso } from '../lib/clock'
import { bundleItems, productImages, products, productVariants } from './products.table'

/** All products with images and variants, in the store's order, in one round trip. */
export const listProducts = async (db: Db): Promise<Product[]> => toProducts(...(await db.batch(productQueries(db))))

/** Queries of all products, their images, variants and bundles, for a batch; `toProducts` reads the results. */
export const productQueries = (db: Db) =>
  [
    db.select().from(products).where(isNull(products.removedAt)).orderBy(asc(products.position), asc(products.id)),
    db.select().from(productImages).orderBy(asc(productImages.productId), asc(productImages.position)),
    db
      .select()
      .from(productVariants)
      .where(isNull(productVariants.removedAt))
      .orderBy(asc(productVariants.productId), asc(productVariants.position)),
    bundleItemsQuery(db),
  ] as const

const bundleItemsQuery = (db: Db) =>
  db
    .select({
      bundleVariantId: bundleItems.bundleVariantId,
      variantId: bundleItems.variantId,
      quantity: bundleItems.quantity,
      name: sql<string>`${products.name} || iif(${productVariants.name} = '', '', ' (' || ${productVariants.name} || ')')`,
    })
    .from(bundleItems)
    .innerJoin(productVariants, eq(productVariants.id, bundleItems.variantId))
    .innerJoin(products, eq(products.id, productVariants.productId))
    .orderBy(asc(products.position), asc(productVariants.position))

type VariantRow = typeof productVariants.$inferSelect
type BundleItemRow = { bundleVariantId: string } & ProductVariant['items'][number]

export const toProducts = (
  rows: readonly (typeof products.$inferSelect)[],
  imageRows: readonly (typeof productImages.$inferSelect)[],
  variantRows: readonly VariantRow[],
  itemRows: readonly BundleItemRow[],
): Product[] =>
  rows.map(
    ({
      id,
      slug,
      name,
      description,
      priceCents,
      stock,
      checkoutUrl,
      isFeatured,
      kind,
      releasesAt,
      sizeGuide,
    }): Product => {
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
        ships: kind === 'shipped',
        kind,
        releasesAt: toIso(releasesAt),
        sizeGuide,
        variants: variantRows.filter(({ productId }) => productId === id).map((row) => toVariant(row, itemRows)),
      }
    },
  )

const toVariant = (
  { id, name, options, priceCents, minimumCents, suggestedCents, stock, imageUrl }: VariantRow,
  itemRows: readonly BundleItemRow[],
): ProductVariant => ({
  id,
  name,
  options,
  priceCents,
  minimumCents,
  suggestedCents,
  stock,
  imageUrl: imageUrl === '' ? null : imageUrl,
  items: itemRows
    .filter(({ bundleVariantId }) => bundleVariantId === id)
    .map(({ variantId, name, quantity }) => ({ variantId, name, quantity })),
})

/** Paths of all product pages, in the store's order. */
export async function listProductPaths(db: Db): Promise<string[]> {
  return (await listProducts(db)).map(({ slug }) => productPath(slug))
}

/** A variant that the shop sells, with its product. It may be sold out. */
export type VariantForSale = {
  variant: VariantRow
  product: typeof products.$inferSelect
  /** Image of the variant, else of the product; may be empty. */
  imageUrl: string
}

/** Query of the variants for sale of a product, or of those with the given ids; for a batch. */
export const variantsForSaleQuery = (db: Db, by: { productId: string } | { variantIds: readonly string[] }) =>
  db
    .select({
      variant: productVariants,
      product: products,
      imageUrl: sql<string>`coalesce(nullif(${productVariants.imageUrl}, ''),
        (SELECT url FROM product_images WHERE product_id = ${products.id} ORDER BY position LIMIT 1), '')`,
    })
    .from(productVariants)
    .innerJoin(products, eq(products.id, productVariants.productId))
    .where(
      and(
        isNull(productVariants.removedAt),
        isNull(products.removedAt),
        'productId' in by
          ? eq(products.id, by.productId)
          : sql`${productVariants.id} IN (SELECT value FROM json_each(${JSON.stringify(by.variantIds)}))`,
      ),
    )
    .orderBy(asc(productVariants.position))

/** 'Hoodie (M)'. */
export const variantTitle = (productName: string, variantName: string): string =>
  variantName === '' ? productName : `${productName} (${variantName})`

export const productNotFoundError = () => new AppError('not_found', 'That product does not exist.')

export const priceChangedError = () => new AppError('price_changed', 'The price has changed. Please refresh.')

/** Error for a line with only `remaining` units left; `title` names the line in an order with several lines. */
export function soldOutError(remaining: number, title: string | null = null): AppError {
  const message =
    remaining > 0
      ? `Only ${remaining} of ${title ?? 'these'} ${remaining === 1 ? 'is' : 'are'} left.`
      : `${title ?? 'This'} is sold out.`
  return new AppError('sold_out', message, { remaining })
}
