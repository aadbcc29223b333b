import { useQuery } from '@tanstack/react-query'
import { type AdminProduct, adminContentApi, ProductDraft } from '../../worker/contract/admin-content'
import type { ProductKind } from '../../worker/contract/products'
import { formatPrice } from '../lib/format'
import { adminQuery } from './admin.queries'
import { type CrudDefinition, CrudPanel } from './CrudPanel'
import { GoodField, MinimumPriceField } from './DigitalFields'
import { useLocalListing } from './listings'
import type { FieldDefinition } from './RecordForm'

const ADDRESS: FieldDefinition<ProductDraft> = {
  name: 'slug',
  label: 'Address',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from the name. It can’t change later.',
}

const KINDS: readonly { value: ProductKind; label: string }[] = [
  { value: 'shipped', label: 'Shipped' },
  { value: 'digital', label: 'Download' },
  { value: 'pickup', label: 'Picked up at a show' },
]

type EditedVariant = NonNullable<ProductDraft['variants']>[number]

const BLANK_VARIANT: Omit<EditedVariant, 'priceCents'> = {
  options: {},
  sku: '',
  minimumCents: null,
  stock: null,
  weightGrams: 0,
  imageUrl: '',
  releaseSlug: null,
  trackId: null,
  items: [],
}

const isDigital = ({ kind }: ProductDraft) => kind === 'digital'
const isPhysical = (draft: ProductDraft) => !isDigital(draft)

/** Price and stock of each variant; a bundle has the stock of its items, and a download has what it sells instead. */
const variantFields = (
  variants: readonly { name: string; items: readonly unknown[] }[],
): FieldDefinition<ProductDraft>[] =>
  variants.flatMap(({ name, items }, index): FieldDefinition<ProductDraft>[] => [
    {
      name: `variants.${index}`,
      label: name ? `${name}: release or track` : 'Release or track',
      kind: 'custom',
      when: isDigital,
      render: ({ value, onChange }) => (
        <GoodField
          label={name ? `${name}: release or track` : 'Release or track'}
          variant={value as EditedVariant}
          onChange={onChange}
        />
      ),
    },
    { name: `variants.${index}.priceCents`, label: name ? `${name}: price` : 'Price', kind: 'dollars' },
    {
      name: `variants.${index}.minimumCents`,
      label: name ? `${name}: lowest price` : 'Lowest price',
      kind: 'custom',
      when: isDigital,
      render: ({ value, onChange, error }) => (
        <MinimumPriceField name={name} minimumCents={value as number | null} onChange={onChange} error={error} />
      ),
    },
    ...(items.length > 0
      ? []
      : [
          {
            name: `variants.${index}.stock` as const,
            label: name ? `${name}: stock` : 'Stock',
            kind: 'number' as const,
            optional: true,
            hint: 'Leave empty if it never sells out.',
            when: isPhysical,
          },
        ]),
  ])

const NEW_PRODUCT_FIELDS = [...variantFields([{ name: '', items: [] }]), ADDRESS]

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
      { name: 'kind', label: 'Kind', kind: 'select', options: KINDS, wide: row !== null },
      ...(row ? variantFields(row.variants) : NEW_PRODUCT_FIELDS),
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
    warn: (draft) =>
      isDigital(draft) && draft.variants?.some(({ releaseSlug, trackId }) => !releaseSlug && trackId === null)
        ? 'Choose what buyers download. Until then they get nothing for their money.'
        : undefined,
    blank: {
      kind: 'shipped',
      variants: [BLANK_VARIANT],
      description: '',
      checkoutUrl: '',
      isFeatured: false,
      position: 100,
      images: [],
    },
  },
  add: adminContentApi.addProduct,
  update: adminContentApi.updateProduct,
  remove: adminContentApi.removeProduct,
  restore: adminContentApi.restoreProduct,
}

export const MerchTab = () => <CrudPanel definition={products} />
