import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { contentApi, type DeskProduct, ProductDraft } from '../../worker/contract/content'
import { call } from '../api/call'
import { price } from '../lib/money'
import { Button } from '../ui/Button'
import { type Column, DataTable } from '../ui/DataTable'
import { deskProducts, useRemoval, useSave } from './content.queries'
import { Panel } from './Panel'
import { RecordDialog } from './RecordDialog'
import type { FieldOf } from './RecordField'
import { RowActions } from './RowActions'
import { useWholeList } from './useListing'

const columns: readonly Column<DeskProduct>[] = [
  { id: 'name', header: 'Product', cell: (row) => row.name, sortBy: (row) => row.name },
  {
    id: 'price',
    header: 'Price',
    cell: (row) => price(row.priceCents),
    sortBy: (row) => row.priceCents,
    numeric: true,
  },
  { id: 'stock', header: 'Stock', cell: (row) => row.stock, sortBy: (row) => row.stock, numeric: true },
]
const fields: readonly FieldOf<ProductDraft>[] = [
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
  const [open, setOpen] = useState<DeskProduct | 'new' | null>(null)
  const listing = useWholeList(useQuery(deskProducts), { label: 'Search products', textOf: (row) => row.name })
  const save = useSave(
    ({ id, draft }: { id: string | null; draft: ProductDraft }) =>
      id === null ? call(contentApi.addProduct, { body: draft }) : call(contentApi.changeProduct, { id, body: draft }),
    ['products'],
  )
  const remove = useRemoval(
    'products',
    (id) => call(contentApi.removeProduct, { id }),
    (id) => call(contentApi.restoreProduct, { id }),
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
          values={open === 'new' ? blank : draftOf(open)}
          save={(draft) => save.mutateAsync({ id: open === 'new' ? null : open.id, draft })}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  )
}

const draftOf = ({ id: _, ...draft }: DeskProduct): ProductDraft => draft
