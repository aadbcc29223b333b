import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { AdminProduct, ProductDraft, VariantDraft } from '../contract/admin-content'
import { PRODUCT_KINDS } from '../contract/products'
import type { Db } from '../db/client'
import { columnFilter, conditionFilter, containsText, type RecordList } from '../db/list'
import { AppError } from '../lib/app-error'
import { type Millis, toIso } from '../lib/clock'
import { newId } from '../lib/crypto'
import { orderLines } from '../orders/orders.table'
import { bundleItems, productImages, products, productVariants } from '../products/products.table'
import { permanentSlug, slugify } from '../releases/slug'
import { publishImages } from './images'

/** Products with their variants. A variant that is left out is no longer sold; its orders remain. */
export const productCrud: Crud<ProductDraft> = {
  noun: 'product',
  table: products,
  ...softDelete(products.removedAt),
  sortableRows: isNull(products.removedAt),

  list: (at) => productList(at),

  async toRow({ db }, { images, slug: chosen, variants, priceCents, stock, releasesAt, kind, ...draft }, id, { at }) {
    const d1 = db.$client
    const productId = id ?? newId('product')
    const slug = await permanentSlug(db, products, { id, chosen, derived: slugify(draft.name, 'product') })
    const variantImages = (variants ?? []).map(({ imageUrl }) => imageUrl).filter((url) => url !== '')
    await publishImages(db, [...images.map(({ url }) => url), ...variantImages])
    const drafts = variants ?? [await onlyVariant(db, id, { priceCents: priceCents ?? 0, stock: stock ?? 0 })]
    // Downloads never sell out.
    const saved = kind === 'digital' ? drafts.map((variant) => ({ ...variant, stock: null, weightGrams: 0 })) : drafts
    const statements = [
      d1.prepare('DELETE FROM product_images WHERE product_id = ?1').bind(productId),
      ...images.map(({ url, alt }, index) =>
        d1
          .prepare('INSERT INTO product_images (product_id, position, url, alt) VALUES (?1, ?2, ?3, ?4)')
          .bind(productId, index + 1, url, alt),
      ),
      ...(await saveVariants(db, { productId, isNew: id === null, at }, saved)),
    ]
    const [first] = saved
    const values = {
      ...draft,
      slug,
      ...(kind && { kind, ships: kind === 'shipped' }),
      ...(releasesAt !== undefined && { releasesAt: releasesAt === null ? null : Date.parse(releasesAt) }),
      // A new product takes both from its first variant; afterwards triggers derive them.
      ...(id === null && { priceCents: first?.priceCents ?? 0, stock: first?.stock ?? 0 }),
    }
    return { id: productId, values, statements }
  },
}

const productList = (at: Millis): RecordList<AdminProduct> => ({
  from: sql`${products}`,
  where: isNull(products.removedAt),
  id: sql`${products.id}`,
  sorts: {
    position: sql`${products.position}`,
    name: sql`lower(${products.name})`,
    price: sql`${products.priceCents}`,
    // NULL is unlimited, which sorts last.
    stock: sql`coalesce(${products.stock}, 1000001)`,
  },
  defaultSort: 'position',
  filters: {
    kind: columnFilter(sql`${products.kind}`, PRODUCT_KINDS),
    stock: conditionFilter({ sold_out: sql`${products.stock} = 0`, available: sql`${products.stock} IS NOT 0` }),
    featured: conditionFilter({ yes: sql`${products.isFeatured}` }),
    release: conditionFilter({ preorder: sql`${products.releasesAt} > ${at}` }),
  },
  search: (q) => ({ where: containsText([sql`${products.name}`, skus], q) }),
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
    return rows.map(({ removedAt: _, ships: __, releasesAt, ...row }) => ({
      ...row,
      releasesAt: toIso(releasesAt),
      images: images.filter(({ productId }) => productId === row.id).map(({ url, alt }) => ({ url, alt })),
      variants: variants
        .filter(({ productId }) => productId === row.id)
        .map(({ productId: _, position: __, removedAt: ___, suggestedCents: ____, sku, ...variant }) => ({
          ...variant,
          sku: sku ?? '',
          items: items
            .filter(({ bundleVariantId }) => bundleVariantId === variant.id)
            .map(({ variantId, quantity }) => ({ variantId, quantity })),
        })),
    }))
  },
})
const skus = sql`(SELECT group_concat(sku, char(10)) FROM product_variants
  WHERE product_id = products.id AND removed_at IS NULL)`

/**
 * Draft of a product's only variant, with the price and stock of a request without variants.
 * @throws AppError `bad_input` for a product with several variants.
 */
async function onlyVariant(
  db: Db,
  productId: string | null,
  { priceCents, stock }: { priceCents: number; stock: number },
): Promise<VariantDraft> {
  const rows =
    productId === null
      ? []
      : await db
          .select()
          .from(productVariants)
          .where(sql`${eq(productVariants.productId, productId)} AND ${isNull(productVariants.removedAt)}`)
  const [row, ...others] = rows
  if (others.length > 0) throw new AppError('bad_input', 'This product has several variants. Please send all of them.')
  const blank = {
    options: {},
    sku: '',
    minimumCents: null,
    weightGrams: 0,
    imageUrl: '',
    releaseSlug: null,
    trackId: null,
    items: [],
  }
  if (!row) return { ...blank, priceCents, stock }
  const { id, options, sku, minimumCents, weightGrams, imageUrl, releaseSlug, trackId } = row
  return {
    ...blank,
    id,
    options,
    sku: sku ?? '',
    minimumCents,
    weightGrams,
    imageUrl,
    releaseSlug,
    trackId,
    priceCents,
    stock,
  }
}

/**
 * Statements that save the variants in this order.
 * @throws AppError `bad_input` for a variant of another product or a bundle in a bundle, `conflict` for a SKU that is
 *   taken and for a changed bundle that was ordered.
 */
async function saveVariants(
  db: Db,
  { productId, isNew, at }: { productId: string; isNew: boolean; at: number },
  drafts: readonly VariantDraft[],
): Promise<D1PreparedStatement[]> {
  const d1 = db.$client
  const [own, taken, items, ordered] = await db.batch([
    db.select({ id: productVariants.id }).from(productVariants).where(eq(productVariants.productId, productId)),
    db
      .select({ sku: productVariants.sku })
      .from(productVariants)
      .where(
        sql`${productVariants.productId} <> ${productId} AND ${productVariants.sku} IN (SELECT value FROM json_each(${JSON.stringify(drafts.map(({ sku }) => sku))}))`,
      ),
    db.select().from(bundleItems),
    db.selectDistinct({ id: orderLines.variantId }).from(orderLines).where(eq(orderLines.productId, productId)),
  ])
  if (taken[0]?.sku) throw new AppError('conflict', `The SKU ${taken[0].sku} belongs to another product.`)
  const skus = drafts.map(({ sku }) => sku).filter((sku) => sku !== '')
  if (new Set(skus).size < skus.length) throw new AppError('conflict', 'Two variants have the same SKU.')
  const ids = drafts.map(({ id }, index) => {
    if (id !== undefined && !own.some((variant) => variant.id === id))
      throw new AppError('bad_input', 'That variant belongs to another product.')
    // The id that the trigger gives the first variant of a new product.
    return id ?? (isNew && index === 0 ? `${productId}-1` : newId('variant'))
  })
  const contentsOf = (id: string) => items.filter(({ bundleVariantId }) => bundleVariantId === id)
  const statements = [
    // Cleared first, because a SKU may move from one variant to another.
    d1.prepare('UPDATE product_variants SET sku = NULL WHERE product_id = ?1 AND sku IS NOT NULL').bind(productId),
    d1
      .prepare(
        `UPDATE product_variants SET removed_at = ?3 WHERE product_id = ?1 AND removed_at IS NULL
           AND id NOT IN (SELECT value FROM json_each(?2))`,
      )
      .bind(productId, JSON.stringify(ids), at),
  ]
  for (const [index, draft] of drafts.entries()) {
    const id = ids[index] ?? ''
    const draftItems = draft.items
    const current = contentsOf(id)
    const isSame =
      draftItems.length === current.length &&
      draftItems.every((item) =>
        current.some(({ variantId, quantity }) => variantId === item.variantId && quantity === item.quantity),
      )
    if (!isSame && ordered.some((variant) => variant.id === id))
      throw new AppError(
        'conflict',
        'This variant has been ordered, so what its bundle contains can’t change. Remove it and add another variant.',
      )
    for (const { variantId } of draftItems)
      if (contentsOf(variantId).length > 0) throw new AppError('bad_input', 'A bundle can’t contain another bundle.')
    statements.push(saveVariant(d1, { id, productId, position: index + 1 }, draft))
    if (isSame) continue
    statements.push(
      d1.prepare('DELETE FROM bundle_items WHERE bundle_variant_id = ?1').bind(id),
      d1
        .prepare(
          `INSERT INTO bundle_items (bundle_variant_id, variant_id, quantity)
           SELECT ?1, value ->> 'variantId', value ->> 'quantity' FROM json_each(?2)`,
        )
        .bind(id, JSON.stringify(draftItems)),
    )
    // The stock of a bundle is derived from its items; that of other variants is stored.
    if (draftItems.length === 0)
      statements.push(d1.prepare('UPDATE product_variants SET stock = ?2 WHERE id = ?1').bind(id, draft.stock))
  }
  return statements
}

function saveVariant(
  d1: D1Database,
  { id, productId, position }: { id: string; productId: string; position: number },
  draft: VariantDraft,
): D1PreparedStatement {
  const { options, sku, priceCents, minimumCents, stock, previousStock, weightGrams, imageUrl, releaseSlug, trackId } =
    draft
  const isBundle = draft.items.length > 0
  const difference = stock !== null && previousStock != null ? stock - previousStock : null
  return d1
    .prepare(
      // Triggers write a bundle's stock. The difference is applied, so that units sold while the form was open stay
      // sold.
      `INSERT INTO product_variants (id, product_id, position, name, options, sku, price_cents, minimum_cents, suggested_cents,
         stock, weight_grams, image_url, release_slug, track_id)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(?8 IS NULL, NULL, ?7), iif(?14, 0, ?9), ?11, ?12, ?13, ?15)
       ON CONFLICT (id) DO UPDATE SET position = ?3, name = ?4, options = ?5, sku = ?6, price_cents = ?7, minimum_cents = ?8,
         suggested_cents = excluded.suggested_cents, weight_grams = ?11, image_url = ?12, release_slug = ?13, track_id = ?15,
         removed_at = NULL,
         stock = CASE WHEN ?14 THEN stock WHEN ?10 IS NULL OR stock IS NULL THEN ?9 ELSE max(0, stock + ?10) END`,
    )
    .bind(
      id,
      productId,
      position,
      Object.values(options).join(' / '),
      JSON.stringify(options),
      sku === '' ? null : sku,
      priceCents,
      minimumCents,
      stock,
      difference,
      weightGrams,
      imageUrl,
      releaseSlug === '' ? null : releaseSlug,
      isBundle ? 1 : 0,
      trackId,
    )
}
