import type { Product } from '../../worker/contract/products'

/** A product for tests: five pieces of something that is sold by our checkout and sent by mail. */
export const buildProduct = (changes: Partial<Product> = {}): Product => {
  const { id = 'hoodie', priceCents = 8900 } = changes
  return {
    id,
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
    ...changes,
  }
}
