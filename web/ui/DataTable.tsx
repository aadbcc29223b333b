import {
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFns,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown, Search } from 'lucide-react'
import { type ReactNode, useId, useMemo } from 'react'
import { Button } from './Button'
import { LoadError } from './LoadError'
import { Skeleton } from './Skeleton'

export type Sort = { column: string; descending: boolean }

export type Column<Row> = {
  /** Unique in the table; the server sorts by this name. */
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Sort key in the browser; without it the column cannot be sorted there. */
  sortBy?: (row: Row) => string | number
  /** Right-aligned with tabular digits. */
  numeric?: boolean
}

/** Rows with search, sorting and paging: the result of `useLocalListing` or `usePagedListing`. */
export type TableData<Row> = {
  rows: readonly Row[]
  isLoading: boolean
  error: Error | null
  retry: () => void
  retrying: boolean
  /** Undefined if the list cannot be searched. */
  search?: { text: string; set: (text: string) => void; label: string }
  sort: Sort | null
  /** Undefined if the order is fixed. */
  setSort?: (sort: Sort | null) => void
  /** Columns that the server sorts by; undefined if the table sorts. */
  serverSortable?: readonly string[]
  /** How many of the loaded rows to render. */
  shownCount: number
  /** Null after the last page. */
  loadMore: (() => void) | null
  loadingMore: boolean
}

type Props<Row> = {
  /** For example 'Tracks'. */
  caption: string
  listing: TableData<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** Shown instead of an empty table. */
  empty: ReactNode
  /** Buttons of a row. */
  actions?: (row: Row) => ReactNode
  /** Shown beside the search. */
  tools?: ReactNode
}

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })

/** A searchable, sortable, paged admin table; on a phone each row is a card. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { caption, listing, columns, rowKey, empty, actions, tools } = props
  const { rows, search, sort, setSort, serverSortable, error, isLoading } = listing
  const id = useId()
  const sorting = useMemo<SortingState>(() => (sort ? [{ id: sort.column, desc: sort.descending }] : []), [sort])
  const columnDefs = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        header: column.header,
        accessorFn: (row: Row) => column.sortBy?.(row) ?? '',
        enableSorting: serverSortable ? serverSortable.includes(column.id) : column.sortBy !== undefined,
      })),
    [columns, serverSortable],
  )
  const table = useTable({
    features,
    columns: columnDefs,
    data: rows as Row[],
    getRowId: rowKey,
    state: { sorting },
    manualSorting: serverSortable !== undefined,
    enableSortingRemoval: false,
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sorting) : update
      setSort?.(next ? { column: next.id, descending: next.desc } : null)
    },
  })
  const visibleRows = table.getRowModel().rows.slice(0, listing.shownCount)
  const columnOf = (columnId: string) => columns.find((column) => column.id === columnId)

  return (
    <div className="data-table">
      {(search || tools) && (
        <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
          {search && <SearchField label={search.label} value={search.text} onChange={search.set} />}
          {tools && <div className="flex flex-wrap gap-3">{tools}</div>}
        </div>
      )}
      {error && (
        <LoadError onRetry={listing.retry} retrying={listing.retrying}>
          {`${caption} could not be loaded.`}
        </LoadError>
      )}
      {isLoading && <Skeleton label={`Loading ${caption.toLowerCase()}`} className="h-72" />}
      {!isLoading && !error && rows.length === 0 && (
        <div className="border border-dashed border-rule-strong p-6 text-muted" role="status">
          {search?.text ? `Nothing matches “${search.text}”.` : empty}
        </div>
      )}
      {rows.length > 0 && (
        <table aria-labelledby={`${id}-caption`}>
          <caption id={`${id}-caption`} className="sr-only">
            {caption}
          </caption>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map(({ column }) => (
                  <th
                    key={column.id}
                    scope="col"
                    className={clsx(columnOf(column.id)?.numeric && 'numeric')}
                    aria-sort={ariaSort(column.getIsSorted())}
                  >
                    {setSort && column.getCanSort() ? (
                      <button type="button" onClick={() => column.toggleSorting()}>
                        {columnOf(column.id)?.header}
                        <SortIcon sorted={column.getIsSorted()} />
                      </button>
                    ) : (
                      columnOf(column.id)?.header
                    )}
                  </th>
                ))}
                {actions && (
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                )}
              </tr>
            ))}
          </thead>
          <tbody>
            {visibleRows.map((row) => (
              <tr key={row.id} className="list-row">
                {columns.map((column) => (
                  <td key={column.id} data-label={column.header} className={clsx(column.numeric && 'numeric')}>
                    {column.cell(row.original)}
                  </td>
                ))}
                {actions && <td className="row-actions">{actions(row.original)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {listing.loadMore && (
        <Button className="mt-5" onClick={listing.loadMore} aria-disabled={listing.loadingMore}>
          {listing.loadingMore ? 'Loading more' : 'Show more'}
        </Button>
      )}
      <p className="sr-only" role="status">
        {!isLoading && !error && `${Math.min(rows.length, listing.shownCount)} shown`}
      </p>
    </div>
  )
}

const ariaSort = (sorted: false | 'asc' | 'desc') => (sorted ? ARIA_SORT[sorted] : undefined)
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const
const SORT_ICONS = { asc: ArrowUp, desc: ArrowDown }

function SortIcon({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  const Icon = sorted ? SORT_ICONS[sorted] : ChevronsUpDown
  return <Icon size={15} aria-hidden className={clsx('shrink-0', !sorted && 'opacity-50')} />
}

type SearchFieldProps = { label: string; value: string; onChange: (text: string) => void }

function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId()
  return (
    <div className="w-full max-w-sm">
      <label htmlFor={id} className="font-label text-muted">
        {label}
      </label>
      <div className="field-line">
        <Search size={18} aria-hidden className="mr-3 shrink-0 text-muted" />
        <input
          id={id}
          type="search"
          value={value}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
