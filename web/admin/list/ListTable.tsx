import { Link } from '@tanstack/react-router'
import {
  columnVisibilityFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { AdminListDefinition } from './list-definition'
import type { AdminListState } from './useAdminList'

type Props<P extends string, Row extends object> = {
  list: AdminListDefinition<P, Row>
  state: AdminListState<Row>
  actions?: (row: Row) => ReactNode
}

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature })

/** The table inside an `AdminList`; on a phone each row is a card with a label beside each value. */
export function ListTable<P extends string, Row extends object>({ list, state, actions }: Props<P, Row>) {
  const { columns, nameOf, bulkActions } = list
  const { rows, keyOf, urlState } = state
  const sorting = useMemo<SortingState>(
    () =>
      columns.flatMap(({ id, sort }) =>
        sort && sort === urlState.sort?.column ? [{ id, desc: urlState.sort.descending }] : [],
      ),
    [columns, urlState.sort],
  )
  const columnDefs = useMemo(
    () =>
      columns.map(({ id, header, sort }) => ({
        id,
        header,
        // The server sorts and `cell` renders, but the library lets only columns with an accessor be sorted.
        accessorFn: () => '',
        enableSorting: sort !== undefined,
      })),
    [columns],
  )
  const table = useTable({
    features,
    columns: columnDefs,
    data: rows as Row[],
    getRowId: keyOf,
    state: {
      sorting,
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, state.columnIds.includes(id)])),
    },
    manualSorting: true,
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      const [next] = typeof change === 'function' ? change(sorting) : change
      const sort = columns.find(({ id }) => id === next?.id)?.sort
      state.update({ sort: next && sort ? { column: sort, descending: next.desc } : null })
    },
  })
  const columnOf = (id: string) => columns.find((column) => column.id === id)
  return (
    <table aria-label={list.title}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {bulkActions && (
              <th scope="col" className="w-11">
                <SelectBox
                  label="Select all on this page"
                  isChecked={state.selected.length === rows.length}
                  isPartial={state.selected.length > 0 && state.selected.length < rows.length}
                  onChange={(isSelected) => state.select(rows, isSelected)}
                />
              </th>
            )}
            {group.headers.map(({ column }) => (
              <th
                key={column.id}
                scope="col"
                className={clsx(columnOf(column.id)?.isNumeric && 'numeric')}
                aria-sort={ariaSort(column.getIsSorted())}
              >
                {column.getCanSort() ? (
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
        {table.getRowModel().rows.map(({ id, original: row }) => (
          <tr
            key={id}
            className="list-row"
            data-list-row={id}
            // Focused by the keys j and k.
            tabIndex={-1}
            aria-label={nameOf(row)}
            aria-selected={bulkActions ? state.isSelected(row) : undefined}
          >
            {bulkActions && (
              <td className="row-select">
                <SelectBox
                  label={`Select ${nameOf(row)}`}
                  isChecked={state.isSelected(row)}
                  onChange={(isSelected) => state.select([row], isSelected)}
                />
              </td>
            )}
            {columns
              .filter((column) => state.columnIds.includes(column.id))
              .map((column, index) => (
                <td
                  key={column.id}
                  data-label={column.header}
                  className={clsx(column.isNumeric && 'numeric', index === 0 && 'row-name')}
                >
                  {/* On a phone the cell is a flex box, in which each text node would be a flex item. */}
                  <div className="list-value">
                    {index === 0 ? (
                      <RowOpener list={list} row={row}>
                        {column.cell(row)}
                      </RowOpener>
                    ) : (
                      column.cell(row)
                    )}
                  </div>
                </td>
              ))}
            {actions && <td className="row-actions">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type OpenerProps<P extends string, Row> = { list: AdminListDefinition<P, Row>; row: Row; children: ReactNode }

/** The row's name as a link to its page, or as the button that opens it. */
function RowOpener<P extends string, Row>({ list, row, children }: OpenerProps<P, Row>) {
  const className =
    'inline-flex min-h-11 items-center text-left font-semibold underline-offset-4 hover:text-gold-bright hover:underline'
  if (list.linkOf)
    return (
      <Link {...list.linkOf(row)} data-open-row className={className}>
        {children}
      </Link>
    )
  const open = list.openerOf?.(row)
  if (!open) return <>{children}</>
  return (
    <button type="button" data-open-row className={className} onClick={open}>
      {children}
    </button>
  )
}

type SelectBoxProps = { label: string; isChecked: boolean; isPartial?: boolean; onChange: (isChecked: boolean) => void }

function SelectBox({ label, isChecked, isPartial = false, onChange }: SelectBoxProps) {
  return (
    <label className="inline-grid size-11 cursor-pointer place-items-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        data-select-row
        className="size-5 accent-gold"
        checked={isChecked}
        ref={(input) => {
          if (input) input.indeterminate = isPartial
        }}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  )
}

const ariaSort = (sorted: false | 'asc' | 'desc') => (sorted ? ARIA_SORT[sorted] : undefined)
const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const
const SORT_ICONS = { asc: ArrowUp, desc: ArrowDown }

function SortIcon({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  const Icon = sorted ? SORT_ICONS[sorted] : ChevronsUpDown
  return <Icon size={15} aria-hidden className={clsx('shrink-0', !sorted && 'opacity-50')} />
}
