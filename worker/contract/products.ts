import * as z from 'zod/mini'
import { get, post, visitor } from './endpoint'
import { href, line, timestamp } from './fields'
import type { ResponsiveImage } from './images'

/** `digital` is downloaded; `pickup` is picked up at a show. */
export const PRODUCT_KINDS = ['shipped', 'digital', 'pickup'] as const
export type ProductKind = (typeof PRODUCT_KINDS)[number]

/** One size, color or format of a product. */
export const ProductVariant = z.object({
  id: z.string(),
  /** 'Black / M'; empty if the product has one variant. */
  name: z.string(),
  /** Value of each option, in the order of the name: `{"Color":"Black","Size":"M"}`. */
  options: z.record(z.string(), z.string()),
  /** The suggested price if the buyer chooses it. */
  priceCents: z.int(),
  /** The lowest price that the buyer can choose, and the suggestion; null for a fixed price. */
  minimumCents: z.nullable(z.int()),
  suggestedCents: z.nullable(z.int()),
  /** Available units, without reserved ones; null if unlimited. */
  stock: z.nullable(z.int()),
  /** Null if the variant shows the product's first image. */
  imageUrl: z.nullable(href),
  /** Contents of a bundle; otherwise empty. */
  items: z.array(z.object({ variantId: z.string(), name: z.string(), quantity: z.int() })),
})
export type ProductVariant = z.infer<typeof ProductVariant>

export const Product = z.object({
  id: z.string(),
  /** Last segment of the product's address. */
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** The lowest price of the variants in the site's currency; `priceCents` is authoritative. */
  price: z.number(),
  priceCents: z.int(),
  imageUrl: href,
  images: z.array(z.object({ url: href, alt: z.string() })),
  /** Available units of all variants, without reserved ones; 1,000,000 if one is unlimited. */
  stock: z.int(),
  /** An external payment page; empty if sold through /checkout. */
  checkoutUrl: z.string(),
  /** Shown in the store section; other products are linked below. */
  isFeatured: z.boolean(),
  /** Needs a shipping address: `kind` is `shipped`. */
  ships: z.boolean(),
  kind: z.enum(PRODUCT_KINDS),
  /** The product is a pre-order until then; null if it is available. */
  releasesAt: z.nullable(timestamp),
  /** Text below the choice of a size; may be empty. */
  sizeGuide: z.string(),
  /** At least one, in order. */
  variants: z.array(ProductVariant),
})
export type Product = z.infer<typeof Product>

/** Path of a product's page. */
export const productPath = (slug: string) => `/merch/${encodeURIComponent(slug)}`

/** Buyers see a stock of fewer units as low. The team's own limit is `lowStockThreshold`. */
export const LOW_STOCK_LIMIT = 10

/** First image of the product page; the page and the preload link must request the same files. */
export const PRODUCT_IMAGE: ResponsiveImage = {
  widths: [320, 640, 960],
  width: 1200,
  height: 1200,
  sizes: '(width < 64rem) 100vw, min(56vw, 46rem)',
}

export const productsApi = {
  products: get('/api/products', z.array(Product), visitor),
  view: post('/api/views', z.strictObject({ productId: line(80, 'The product') }), null, {
    ...visitor,
    description: "Counts a view of the product's page on this day, without a cookie or any identifier.",
  }),
}
