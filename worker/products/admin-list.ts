import { and, asc, inArray, isNull, sql } from 'drizzle-orm'
import type { AdminProduct } from '../contract/admin-content'
import { PRODUCT_KINDS } from '../contract/products'
import { columnFilter, conditionFilter, containsText, type RecordList } from '../db/list'
import { type Millis, toIso } from '../lib/clock'
import { bundleItems, productImages, products, productVariants } from './products.table'

const SKUS = sql`(SELECT group_concat(sku, char(10)) FROM product_variants
  WHERE product_id = products.id AND removed_at IS NULL)`

/** All products, in their order. */
export const productList = (at: Millis): RecordList<AdminProduct> => ({
  from: sql`${products}`,
  where: isNull(products.removedAt),
  id: sql`${products.id}`,
  sorts: {
    position: sql`${products.position}`,
    name: sql`lower(${products.name})`,
    price: sql`${products.priceCents}`,
    stock: sql`${products.stock}`,
  },
  defaultSort: 'position',
  filters: {
    kind: columnFilter(sql`${products.kind}`, PRODUCT_KINDS),
    stock: conditionFilter({ sold_out: sql`${products.stock} = 0`, available: sql`${products.stock} IS NOT 0` }),
    featured: conditionFilter({ yes: sql`${products.isFeatured}` }),
    release: conditionFilter({ preorder: sql`${products.releasesAt} > ${at}` }),
  },
  search: (q) => ({ where: containsText([sql`${products.name}`, SKUS], q) }),
  load: async (db, ids) => {
    const productIds = ids.map(String)
    const [rows, images, variants, items] = await db.batch([
      db.select().from(products).where(inArray(products.id, productIds)),
      db
        .select()
        .from(productImages)
        .where(inArray(productImages.productId, productIds))
        .orderBy(asc(productImages.position)),
      db
        .select()
        .from(productVariants)
        .where(and(inArray(productVariants.productId, productIds), isNull(productVariants.removedAt)))
        .orderBy(asc(productVariants.position)),
      db.select().from(bundleItems),
    ])
    return rows.map(({ removedAt: _removedAt, ships: _ships, releasesAt, ...row }) => ({
      ...row,
      releasesAt: toIso(releasesAt),
      images: images.filter(({ productId }) => productId === row.id).map(({ url, alt }) => ({ url, alt })),
      variants: variants
        .filter(({ productId }) => productId === row.id)
        .map((variant) => toAdminVariant(variant, items)),
    }))
  },
})

function toAdminVariant(
  {
    productId: _productId,
    position: _position,
    removedAt: _removedAt,
    suggestedCents: _suggestedCents,
    sku,
    ...variant
  }: typeof productVariants.$inferSelect,
  allItems: readonly (typeof bundleItems.$inferSelect)[],
): AdminProduct['variants'][number] {
  const items = allItems
    .filter(({ bundleVariantId }) => bundleVariantId === variant.id)
    .map(({ variantId, quantity }) => ({ variantId, quantity }))
  return { ...variant, sku: sku ?? '', items }
}
