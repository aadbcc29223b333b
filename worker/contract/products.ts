import * as z from 'zod/mini'
import { get, visitor } from './endpoint'
import { href } from './fields'
import type { ResponsiveImage } from './images'

export const Product = z.object({
  id: z.string(),
  /** Last segment of the product's address. */
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** Dollars, for documented clients; `priceCents` is authoritative. */
  price: z.number(),
  priceCents: z.int(),
  imageUrl: href,
  images: z.array(z.object({ url: href, alt: z.string() })),
  /** Available units, without reserved ones. */
  stock: z.int(),
  /** An external payment page; empty if sold through /checkout. */
  checkoutUrl: z.string(),
  /** Shown in the store section; other products are linked below. */
  isFeatured: z.boolean(),
  /** Needs a shipping address. */
  ships: z.boolean(),
})
export type Product = z.infer<typeof Product>

/** Address of a product. */
export const productPath = (slug: string) => `/merch/${encodeURIComponent(slug)}`

/** First picture of the product page; the page and the preload link must request the same files. */
export const PRODUCT_IMAGE: ResponsiveImage = {
  widths: [320, 640, 960],
  width: 1200,
  height: 1200,
  sizes: '(width < 64rem) 100vw, min(56vw, 46rem)',
}

export const productsApi = {
  products: get('/api/products', z.array(Product), visitor),
}
