import type { Product, ProductVariant } from '../../worker/contract/products'

/** A product's only variant, with five in stock. */
export const buildVariant = (changes: Partial<ProductVariant> = {}): ProductVariant => ({
  id: 'hoodie-1',
  name: '',
  options: {},
  priceCents: 8900,
  minimumCents: null,
  suggestedCents: null,
  stock: 5,
  imageUrl: null,
  items: [],
  ...changes,
})

/** A shipped product with five in stock, sold in this site's checkout. */
export const buildProduct = (changes: Partial<Product> = {}): Product => {
  const { id = 'hoodie', priceCents = 8900 } = changes
  return {
    id,
    slug: id,
    name: `The ${id}`,
    description: '',
    price: priceCents / 100,
    priceCents,
    imageUrl: '/media/a/b.webp',
    images: [],
    stock: 5,
    checkoutUrl: '',
    isFeatured: false,
    ships: true,
    kind: 'shipped',
    releasesAt: null,
    sizeGuide: '',
    variants: [buildVariant({ id: `${id}-1`, priceCents })],
    ...changes,
  }
}

/** One variant of a product for each size, with its stock. */
export const buildSizeVariants = (productId: string, stockBySize: Record<string, number>): ProductVariant[] =>
  Object.entries(stockBySize).map(([size, stock]) =>
    buildVariant({ id: `${productId}-${size.toLowerCase()}`, name: size, options: { Size: size }, stock }),
  )
