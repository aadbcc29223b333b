import {
  type AdminProduct,
  adminProductsApi,
  ProductDraft,
  type VariantDraft,
} from '../../worker/contract/admin-content'
import type { ProductKind } from '../../worker/contract/products'
import { readNextPosition } from '../admin/admin.queries'
import { ProductPreview } from '../admin/lazy-previews'
import { EditableList, type EditableListDefinition } from '../admin/list/EditableList'
import { choiceFilter, toOptions } from '../admin/list/list-definition'
import type { FieldDefinition } from '../admin/RecordField'
import { formatCount, formatPrice } from '../lib/format'
import { DigitalGoodField, MinimumPriceField } from './DigitalFields'

const SLUG_FIELD: FieldDefinition<ProductDraft> = {
  name: 'slug',
  label: 'Address',
  kind: 'slug',
  optional: true,
  hint: 'Leave empty to create it from the name. It can’t change later.',
}

const PRODUCT_KIND_LABELS: Readonly<Record<ProductKind, string>> = {
  shipped: 'Shipped',
  digital: 'Download',
  pickup: 'Picked up at a show',
}

const BLANK_VARIANT: Omit<VariantDraft, 'priceCents'> = {
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

/**
 * The fields of each variant: price and stock or, of a digital product, the release or track it sells and its prices.
 * A bundle (a variant with `items`) has no stock field: its stock is that of its items.
 */
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
        <DigitalGoodField
          label={name ? `${name}: release or track` : 'Release or track'}
          variant={value as VariantDraft}
          onChange={onChange}
        />
      ),
    },
    { name: `variants.${index}.priceCents`, label: name ? `${name}: price` : 'Price', kind: 'money' },
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

const NEW_PRODUCT_FIELDS = [...variantFields([{ name: '', items: [] }]), SLUG_FIELD]

/** Leaves out the product's price and stock, which the server derives from its variants. */
const toDraft = ({ id: _, priceCents: __, stock: ___, variants, ...draft }: AdminProduct): ProductDraft => ({
  ...draft,
  variants: variants.map(({ name: _, ...variant }) => ({ ...variant, previousStock: variant.stock })),
})

const productList: EditableListDefinition<'/api/admin/products', AdminProduct, ProductDraft> = {
  list: {
    name: 'products',
    title: 'Products',
    endpoint: adminProductsApi.list,
    searchLabel: 'Search products by name or SKU',
    nameOf: (row) => row.name,
    columns: [
      { id: 'name', header: 'Product', cell: (row) => row.name, sort: 'name' },
      { id: 'kind', header: 'Kind', cell: (row) => row.kind && PRODUCT_KIND_LABELS[row.kind] },
      { id: 'price', header: 'Price', cell: (row) => formatPrice(row.priceCents), sort: 'price', isNumeric: true },
      {
        id: 'stock',
        header: 'Stock',
        cell: (row) => (row.stock === null || row.kind === 'digital' ? 'No limit' : formatCount(row.stock)),
        sort: 'stock',
        isNumeric: true,
      },
      { id: 'position', header: 'Place', cell: (row) => row.position, sort: 'position', isNumeric: true },
      {
        id: 'featured',
        header: 'Featured',
        cell: (row) => (row.isFeatured ? 'On the home page' : ''),
        isOptional: true,
      },
    ],
    filters: [
      choiceFilter('kind', 'Kind', PRODUCT_KIND_LABELS),
      choiceFilter('stock', 'Stock', { available: 'In stock', sold_out: 'Sold out' }),
      choiceFilter('featured', 'Featured', { yes: 'On the home page' }),
      choiceFilter('release', 'Release', { preorder: 'Pre-order' }),
    ],
    empty: 'No products yet. Add the first one, with its price, stock and pictures.',
  },
  noun: 'product',
  keys: ['products'],
  form: {
    schema: ProductDraft,
    fields: (row) => [
      { name: 'name', label: 'Name', wide: row !== null },
      { name: 'kind', label: 'Kind', kind: 'select', options: toOptions(PRODUCT_KIND_LABELS), wide: row !== null },
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
      images: [],
    },
    readDefaults: async () => ({ position: await readNextPosition(adminProductsApi.list) }),
    preview: ProductPreview,
  },
  endpoints: adminProductsApi,
}

export const MerchTab = () => <EditableList definition={productList} />
