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
      { name: 'name', label: 'Name' },
      { name: 'priceCents', label: 'Price', kind: 'dollars' },
      ...(row ? [] : [ADDRESS]),
      { name: 'description', label: 'Description', kind: 'textarea', optional: true },
      { name: 'stock', label: 'Stock', kind: 'number' },
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
    toDraft: ({ id: _, ...draft }) => draft,
    blank: { description: '', checkoutUrl: '', isFeatured: false, position: 100, images: [] },
  },
  add: adminContentApi.addProduct,
  update: adminContentApi.updateProduct,
  remove: adminContentApi.removeProduct,
  restore: adminContentApi.restoreProduct,
}

export const MerchTab = () => <CrudPanel definition={products} />
