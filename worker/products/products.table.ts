import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { PRODUCT_KINDS } from '../contract/products'

/**
 * Products of the shop. A trigger (migration 0051) gives a new product its first variant; others derive `priceCents`
 * and `stock` from the variants.
 */
export const products = sqliteTable(
  'products',
  {
    id: text('id').primaryKey(),
    /** Last segment of the product page's path; never changes. */
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** Lowest price of the variants. The insert sets the first variant's price; then triggers update it. */
    priceCents: integer('price_cents').notNull(),
    /** Total stock of the variants, set and updated in the same way; 1,000,000 if one of them is unlimited. */
    stock: integer('stock').notNull(),
    /** External payment page; empty if sold by /checkout. */
    checkoutUrl: text('checkout_url').notNull().default(''),
    isFeatured: integer('is_featured', { mode: 'boolean' }).notNull().default(false),
    /** Replaced by `kind`; still written, because during a deployment the previous version of the worker reads it. */
    ships: integer('ships', { mode: 'boolean' }).notNull().default(true),
    kind: text('kind', { enum: PRODUCT_KINDS }).notNull().default('shipped'),
    /** The product is a pre-order until then; null if it is available. */
    releasesAt: integer('releases_at'),
    sizeGuide: text('size_guide').notNull().default(''),
    position: integer('position').notNull(),
    /** Removed from the store; can be restored. */
    removedAt: integer('removed_at'),
    /** Incremented with every save. A save must send the version that it changes. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('products_price', sql`${t.priceCents} >= 0`),
    check('products_stock', sql`${t.stock} >= 0`),
    uniqueIndex('products_slug').on(t.slug),
    index('products_order').on(t.position, t.id),
  ],
)

export const productImages = sqliteTable(
  'product_images',
  {
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    position: integer('position').notNull(),
    url: text('url').notNull(),
    alt: text('alt').notNull(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.position] })],
)

/** Sizes, colors or formats of a product. Order lines refer to them, so rows are never deleted. */
export const productVariants = sqliteTable(
  'product_variants',
  {
    id: text('id').primaryKey(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    position: integer('position').notNull(),
    /** 'Black / M'; empty if the product has one variant. */
    name: text('name').notNull(),
    /** Value of each option: `{"Size":"M"}`. */
    options: text('options', { mode: 'json' }).notNull().$type<Record<string, string>>(),
    sku: text('sku'),
    priceCents: integer('price_cents').notNull(),
    /** The lowest price that the buyer can choose; null for a fixed price. */
    minimumCents: integer('minimum_cents'),
    /** Equals `priceCents` if the buyer can choose the price; null for a fixed price. */
    suggestedCents: integer('suggested_cents'),
    /** Units left; null if unlimited. Triggers compute a bundle's from the stock of its items. */
    stock: integer('stock'),
    weightGrams: integer('weight_grams').notNull().default(0),
    /** Empty: the product's first image. */
    imageUrl: text('image_url').notNull().default(''),
    /** The digital good: a release or one track. */
    releaseSlug: text('release_slug'),
    trackId: integer('track_id'),
    /** When the variant was removed from sale. */
    removedAt: integer('removed_at'),
  },
  (t) => [
    check('product_variants_options', sql`json_valid(${t.options})`),
    check('product_variants_price', sql`${t.priceCents} >= 0`),
    check('product_variants_minimum', sql`${t.minimumCents} >= 0 and ${t.minimumCents} <= ${t.suggestedCents}`),
    check('product_variants_stock', sql`${t.stock} >= 0`),
    check('product_variants_weight', sql`${t.weightGrams} >= 0`),
    uniqueIndex('product_variants_sku').on(t.sku).where(sql`sku is not null`),
    index('product_variants_of_product').on(t.productId, t.position),
  ],
)

/** Variants that a bundle contains. Buying the bundle reduces the stock of each. */
export const bundleItems = sqliteTable(
  'bundle_items',
  {
    bundleVariantId: text('bundle_variant_id')
      .notNull()
      .references(() => productVariants.id),
    variantId: text('variant_id')
      .notNull()
      .references(() => productVariants.id),
    quantity: integer('quantity').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.bundleVariantId, t.variantId] }),
    check('bundle_items_quantity', sql`${t.quantity} > 0`),
    index('bundle_items_by_variant').on(t.variantId),
  ],
)

/** Views of a product's page on a day in the artist's time zone. A trigger counts each row of product_view_messages. */
export const productViews = sqliteTable(
  'product_views',
  {
    /** YYYY-MM-DD. */
    day: text('day').notNull(),
    productId: text('product_id')
      .notNull()
      .references(() => products.id),
    views: integer('views').notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.productId] }), check('product_views_count', sql`${t.views} > 0`)],
)

/** Queue messages that were counted, so that a redelivered message is not counted again. */
export const productViewMessages = sqliteTable(
  'product_view_messages',
  {
    /** The queue's id of the message. */
    id: text('id').primaryKey(),
    productId: text('product_id').notNull(),
    day: text('day').notNull(),
    countedAt: integer('counted_at').notNull(),
  },
  (t) => [index('product_view_messages_by_age').on(t.countedAt)],
)
