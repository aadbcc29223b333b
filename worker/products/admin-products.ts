import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Crud, softDelete } from '../audit/crud'
import type { ProductDraft, VariantDraft } from '../contract/admin-content'
import { type Db, prepare } from '../db/client'
import { permanentSlug, slugify } from '../db/slug'
import { AppError } from '../lib/app-error'
import type { Millis } from '../lib/clock'
import { newId } from '../lib/crypto'
import { publishImages } from '../uploads/uploads'
import { productList } from './admin-list'
import { bundleItems, products, productVariants } from './products.table'

/** Products with their variants. A variant that is left out is no longer sold; its orders remain. */
export const productCrud: Crud<ProductDraft> = {
  noun: 'product',
  table: products,
  ...softDelete(products.removedAt),
  isSortable: isNull(products.removedAt),

  list: productList,

  async toRow({ db }, { images, slug: chosen, variants, priceCents, stock, releasesAt, kind, ...draft }, id, { at }) {
    const d1 = db.$client
    const productId = id ?? newId('product')
    const slug = await permanentSlug(db, products, { id, chosen, derived: slugify(draft.name, 'product') })
    const variantImages = (variants ?? []).map(({ imageUrl }) => imageUrl).filter((url) => url !== '')
    await publishImages(db, [...images.map(({ url }) => url), ...variantImages])
    const drafts = variants ?? [await onlyVariant(db, id, { priceCents: priceCents ?? 0, stock: stock ?? 0 })]
    // Digital goods never sell out and weigh nothing.
    const variantsToSave =
      kind === 'digital' ? drafts.map((variant) => ({ ...variant, stock: null, weightGrams: 0 })) : drafts
    const statements = [
      d1.prepare('DELETE FROM product_images WHERE product_id = ?1').bind(productId),
      ...images.map(({ url, alt }, index) =>
        d1
          .prepare('INSERT INTO product_images (product_id, position, url, alt) VALUES (?1, ?2, ?3, ?4)')
          .bind(productId, index + 1, url, alt),
      ),
      ...(await variantStatements(db, { productId, isNew: id === null, at }, variantsToSave)),
    ]
    const [first] = variantsToSave
    const values = {
      ...draft,
      slug,
      ...(kind && { kind, ships: kind === 'shipped' }),
      ...(releasesAt !== undefined && { releasesAt: releasesAt === null ? null : Date.parse(releasesAt) }),
      // A new product has the price and stock of its first variant; afterwards triggers derive both.
      ...(id === null && { priceCents: first?.priceCents ?? 0, stock: first?.stock ?? 0 }),
    }
    return { id: productId, values, statements }
  },
}

/**
 * For a request with a price and stock instead of variants: the draft of the product's only variant.
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
          .where(and(eq(productVariants.productId, productId), isNull(productVariants.removedAt)))
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
 * Statements that save the variants in this order and remove the product's other variants.
 * @throws AppError `bad_input` for a variant of another product or a bundle in a bundle; `conflict` for another
 *   variant's SKU, or for changed contents of a bundle that was ordered.
 */
async function variantStatements(
  db: Db,
  { productId, isNew, at }: { productId: string; isNew: boolean; at: Millis },
  drafts: readonly VariantDraft[],
): Promise<D1PreparedStatement[]> {
  const d1 = db.$client
  const draftSkus = JSON.stringify(drafts.map(({ sku }) => sku))
  const [ownVariants, otherVariantsWithSku, items, orderedVariants] = await db.batch([
    db.select({ id: productVariants.id }).from(productVariants).where(eq(productVariants.productId, productId)),
    db
      .select({ sku: productVariants.sku })
      .from(productVariants)
      .where(
        sql`${productVariants.productId} <> ${productId}
          AND ${productVariants.sku} IN (SELECT value FROM json_each(${draftSkus}))`,
      ),
    db.select().from(bundleItems),
    // Raw SQL, because products must not import the orders feature.
    db
      .select({ id: productVariants.id })
      .from(productVariants)
      .where(sql`${productVariants.id} IN (SELECT variant_id FROM order_lines WHERE product_id = ${productId})`),
  ])
  const takenSku = otherVariantsWithSku[0]?.sku
  if (takenSku) throw new AppError('conflict', `The SKU ${takenSku} belongs to another product.`)
  const skus = drafts.map(({ sku }) => sku).filter((sku) => sku !== '')
  if (new Set(skus).size < skus.length) throw new AppError('conflict', 'Two variants have the same SKU.')
  const ids = drafts.map(({ id }, index) => {
    if (id !== undefined && !ownVariants.some((variant) => variant.id === id))
      throw new AppError('bad_input', 'That variant does not belong to this product.')
    // A trigger adds the first variant of a new product under this id.
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
    const savedItems = contentsOf(id)
    const hasSameContents =
      draftItems.length === savedItems.length &&
      draftItems.every((item) =>
        savedItems.some(({ variantId, quantity }) => variantId === item.variantId && quantity === item.quantity),
      )
    if (!hasSameContents && orderedVariants.some((variant) => variant.id === id))
      throw new AppError(
        'conflict',
        'This variant has been ordered, so what its bundle contains can’t change. Remove it and add another variant.',
      )
    for (const { variantId } of draftItems)
      if (contentsOf(variantId).length > 0) throw new AppError('bad_input', 'A bundle can’t contain another bundle.')
    statements.push(upsertVariant(db, { id, productId, position: index + 1 }, draft))
    if (hasSameContents) continue
    statements.push(
      d1.prepare('DELETE FROM bundle_items WHERE bundle_variant_id = ?1').bind(id),
      d1
        .prepare(
          `INSERT INTO bundle_items (bundle_variant_id, variant_id, quantity)
           SELECT ?1, value ->> 'variantId', value ->> 'quantity' FROM json_each(?2)`,
        )
        .bind(id, JSON.stringify(draftItems)),
    )
    // A former bundle: the draft's stock replaces the one that triggers derived from the items.
    if (draftItems.length === 0)
      statements.push(d1.prepare('UPDATE product_variants SET stock = ?2 WHERE id = ?1').bind(id, draft.stock))
  }
  return statements
}

/** Statement that inserts or updates a variant, but not the items of a bundle. */
function upsertVariant(
  db: Db,
  { id, productId, position }: { id: string; productId: string; position: number },
  { items, options, sku, stock, previousStock, releaseSlug, ...draft }: VariantDraft,
): D1PreparedStatement {
  const isBundle = items.length > 0
  const values = {
    position,
    name: Object.values(options).join(' / '),
    options,
    sku: sku === '' ? null : sku,
    priceCents: draft.priceCents,
    minimumCents: draft.minimumCents,
    suggestedCents: draft.minimumCents === null ? null : draft.priceCents,
    weightGrams: draft.weightGrams,
    imageUrl: draft.imageUrl,
    releaseSlug: releaseSlug === '' ? null : releaseSlug,
    trackId: draft.trackId,
  }
  // Triggers write a bundle's stock.
  const savedStock = isBundle ? productVariants.stock : stockAfterEdit(stock, previousStock ?? null)
  return prepare(
    db,
    db
      .insert(productVariants)
      .values({ id, productId, ...values, stock: isBundle ? 0 : stock })
      .onConflictDoUpdate({
        target: productVariants.id,
        set: { ...values, removedAt: null, stock: sql`${savedStock}` },
      }),
  )
}

/** SQL of the stock after an edit: adds the difference, so that units sold while the form was open stay sold. */
function stockAfterEdit(stock: number | null, previousStock: number | null): SQL {
  if (stock === null || previousStock === null) return sql`${stock}`
  return sql`iif(${productVariants.stock} IS NULL, ${stock}, max(0, ${productVariants.stock} + ${stock - previousStock}))`
}
