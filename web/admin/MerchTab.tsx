import { useQuery } from '@tanstack/react-query'
import { type AdminProduct, adminContentApi, ProductDraft } from '../../worker/contract/admin-content'
import { formatPrice } from '../lib/format'
import { adminQuery } from './admin.queries'
import { type CrudDefinition, CrudPanel } from './CrudPanel'
import { useLocalListing } from './listings'
import type { FieldDefinition } from './RecordForm'

const ADDRESS: FieldDefinition<ProductDraft> = {
  name: 'slug',
  label: 'Address',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from the name. It can’t change later.',
}

/** Price and stock of each variant; a bundle has the stock of its items. */
const variantFields = ({ variants }: AdminProduct): FieldDefinition<ProductDraft>[] =>
  variants.flatMap(({ name, items }, index): FieldDefinition<ProductDraft>[] => [
    { name: `variants.${index}.priceCents`, label: name ? `${name}: price` : 'Price', kind: 'dollars' },
    ...(items.length > 0
      ? []
      : [
          {
            name: `variants.${index}.stock` as const,
            label: name ? `${name}: stock` : 'Stock',
            kind: 'number' as const,
            optional: true,
            hint: 'Leave empty if it never sells out.',
          },
        ]),
  ])

const NEW_PRODUCT_FIELDS: FieldDefinition<ProductDraft>[] = [
  { name: 'priceCents', label: 'Price', kind: 'dollars' },
  ADDRESS,
  { name: 'stock', label: 'Stock', kind: 'number' },
]

/** Price and stock of the product itself are derived from its variants, so that only theirs are sent. */
const toDraft = ({ id: _, priceCents: __, stock: ___, variants, ...draft }: AdminProduct): ProductDraft => ({
  ...draft,
  variants: variants.map(({ name: _, ...variant }) => ({ ...variant, previousStock: variant.stock })),
})

const products: CrudDefinition<AdminProduct, ProductDraft> = {
  title: 'Products',
  noun: 'product',
  keys: ['products'],
  useListing: () =>
    useLocalListing(useQuery(adminQuery('products', adminContentApi.products)), {
      label: 'Search products',
      textOf: (row) => row.name,
    }),
  columns: [
    { id: 'name', header: 'Product', cell: (row) => row.name, sortBy: (row) => row.name },
    {
      id: 'price',
      header: 'Price',
      cell: (row) => formatPrice(row.priceCents),
      sortBy: (row) => row.priceCents,
      numeric: true,
    },
    { id: 'stock', header: 'Stock', cell: (row) => row.stock, sortBy: (row) => row.stock, numeric: true },
  ],
  nameOf: (row) => row.name,
  form: {
    schema: ProductDraft,
    fields: (row) => [
      // Alone on its row beside variants, so that each price is next to its stock.
      { name: 'name', label: 'Name', wide: row !== null },
      ...(row ? variantFields(row) : NEW_PRODUCT_FIELDS),
      { name: 'description', label: 'Description', kind: 'textarea', optional: true },
      { name: 'position', label: 'Place in the store', kind: 'number' },
      {
        name: 'checkoutUrl',
        label: 'External checkout link',
        kind: 'url',
        optional: true,
        hint: 'Leave empty to sell it in this site’s own checkout.',
      },
      { name: 'isFeatured', label: 'Featured on the home page', kind: 'checkbox' },
      { name: 'images', label: 'Pictures', kind: 'images', crop: 'product', max: 8 },
    ],
    toDraft,
    blank: { description: '', checkoutUrl: '', isFeatured: false, position: 100, images: [] },
  },
  add: adminContentApi.addProduct,
  update: adminContentApi.updateProduct,
  remove: adminContentApi.removeProduct,
  restore: adminContentApi.restoreProduct,
}

export const MerchTab = () => <CrudPanel definition={products} />
