import { price } from '../lib/money'
import { useProducts } from '../merch/products.queries'
import { type Column, DataTable } from '../ui/DataTable'
import { Panel } from './Panel'
import { useWholeList } from './useListing'

type Row = NonNullable<ReturnType<typeof useProducts>['data']>[number]

const columns: readonly Column<Row>[] = [
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

/** Everything that is sold. */
export function MerchTab() {
  const listing = useWholeList(useProducts(), { label: 'Search products', textOf: (row) => row.name })
  return (
    <Panel title="Products">
      <DataTable
        caption="Products"
        listing={listing}
        columns={columns}
        rowKey={(row) => row.id}
        empty="No product yet."
      />
    </Panel>
  )
}
