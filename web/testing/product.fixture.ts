import type { Product } from '../../worker/contract/products'

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
    ...changes,
  }
}
