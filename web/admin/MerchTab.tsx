import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminProduct, adminContentApi, ProductDraft } from '../../worker/contract/admin-content'
import { call } from '../api/call'
import { formatPrice } from '../lib/format'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { adminProducts, useRemoveWithUndo, useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldDefinition } from './RecordField'
import { RowActions } from './RowActions'
import { useLocalListing } from './useTableListing'

const columns: readonly Column<AdminProduct>[] = [
  { id: 'name', header: 'Product', cell: (row) => row.name, sortBy: (row) => row.name },
  {
    id: 'price',
    header: 'Price',
    cell: (row) => formatPrice(row.priceCents),
    sortBy: (row) => row.priceCents,
    numeric: true,
  },
  { id: 'stock', header: 'Stock', cell: (row) => row.stock, sortBy: (row) => row.stock, numeric: true },
]
const fields: readonly FieldDefinition<ProductDraft>[] = [
  { name: 'name', label: 'Name' },
  { name: 'priceCents', label: 'Price', kind: 'dollars' },
  { name: 'description', label: 'Description', kind: 'area', optional: true },
  { name: 'stock', label: 'Stock', kind: 'figure' },
  { name: 'position', label: 'Place in the store', kind: 'figure' },
  {
    name: 'checkoutUrl',
    label: 'External checkout link',
    kind: 'url',
    optional: true,
    hint: 'Empty: sold by this site’s own checkout.',
  },
  { name: 'isFeatured', label: 'Shown in the store section', kind: 'check' },
  { name: 'images', label: 'Pictures', kind: 'pictures', shape: 'product', most: 8 },
]
const blank: Partial<ProductDraft> = { description: '', checkoutUrl: '', isFeatured: false, position: 100, images: [] }

/** Everything that is sold. */
export function MerchTab() {
  const [open, setOpen] = useState<AdminProduct | 'new' | null>(null)
  const listing = useLocalListing(useQuery(adminProducts), { label: 'Search products', textOf: (row) => row.name })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: ProductDraft }) =>
      id === null
        ? call(adminContentApi.addProduct, { body: draft })
        : call(adminContentApi.updateProduct, { id, body: draft }),
    ['products'],
  )
  const remove = useRemoveWithUndo(
    'products',
    (id) => call(adminContentApi.removeProduct, { id }),
    (id) => call(adminContentApi.restoreProduct, { id }),
  )
  return (
    <Panel title="Products">
      <DataTable
        caption="Products"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No product yet."
        tools={<Button onClick={() => setOpen('new')}>Add a product</Button>}
        actions={(row) => (
          <RowActions name={row.name} onEdit={() => setOpen(row)} onDelete={() => remove(row.id, row.name)} />
        )}
      />
      {open && (
        <RecordDialog
          title={open === 'new' ? 'A new product' : open.name}
          schema={ProductDraft}
          fields={fields}
          values={open === 'new' ? blank : toDraft(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const toDraft = ({ id: _, ...draft }: AdminProduct): ProductDraft => draft
