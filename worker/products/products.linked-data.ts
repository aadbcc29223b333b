import type { ItemList, Product as ProductSchema, WithContext } from 'schema-dts'
import { type Product, productPath } from '../contract/products'
import { absoluteUrl } from '../lib/url'

type Store = { brand: string; origin: string; currency: string }

/** schema.org Product with the offer that Google requires. */
export function productWithOffer(product: Product, { brand, origin, currency }: Store): WithContext<ProductSchema> {
  const url = `${origin}${productPath(product.slug)}`
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': `${url}#product`,
    url,
    name: product.name,
    description: product.description,
    image: product.images.map((image) => absoluteUrl(image.url, origin)),
    brand: { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      price: (product.priceCents / 100).toFixed(2),
      priceCurrency: currency,
      itemCondition: 'https://schema.org/NewCondition',
      availability: `https://schema.org/${product.stock > 0 ? 'InStock' : 'OutOfStock'}`,
      url,
    },
  }
}

/** schema.org ItemList of the store. */
export const productItemList = (products: readonly Product[], store: Store): WithContext<ItemList> => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  '@id': `${store.origin}/merch#products`,
  numberOfItems: products.length,
  itemListElement: products.map((product, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    item: productWithOffer(product, store),
  })),
})

const MAX_DESCRIPTION_LENGTH = 155

/** Description of a product's page for search results and link previews. */
export function productDescription({ name, description }: Product, brand: string): string {
  const text = description.replace(/\s+/g, ' ').trim()
  if (text === '') return `${name}, from the store of ${brand}.`
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text
  return `${text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')} …`
}
