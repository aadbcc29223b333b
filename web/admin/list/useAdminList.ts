import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callPage } from '../../api/call'
import { deviceStorage } from '../../lib/storage'
import { type AdminListDefinition, filterIdsOf, idOf, TAB_FILTER } from './list-definition'
import { type ListUrlState, toRequestSearch, useListUrlState } from './list-url-state'

/** A page of a list with its state: the state in the URL, the chosen columns and the selection. */
export type AdminListState<Row> = {
  urlState: ListUrlState
  /** Id of the open tab; null without tabs. */
  tab: string | null
  openTab: (id: string) => void
  /** Whether a filter or a search text is set. */
  isNarrowed: boolean
  clearSearchAndFilters: () => void
  /** Changes the state in the URL. */
  update: ReturnType<typeof useListUrlState>[1]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  isLoading: boolean
  isFetching: boolean
  error: Error | null
  retry: () => void
  /** Query strings of the next and previous page; null where there is no such page. */
  next: string | null
  previous: string | null
  /** Ids of the columns to show. */
  columnIds: readonly string[]
  setColumns: (ids: readonly string[]) => void
  /** The selected rows of this page. */
  selected: readonly Row[]
  isSelected: (row: Row) => boolean
  select: (rows: readonly Row[], isSelected: boolean) => void
}

/** Loads the page of a list that the URL describes and manages its selection. Opening a tab clears the selection. */
export function useAdminList<P extends string, Row extends object>(
  definition: AdminListDefinition<P, Row>,
): AdminListState<Row> {
  const { name, endpoint, input, tabs, fixedFilters, keyOf = idOf, urlPrefix = '' } = definition
  const [urlState, update] = useListUrlState({
    filterIds: filterIdsOf(definition),
    prefix: urlPrefix,
  })
  const tab = tabs?.find(({ id }) => id === urlState.filters[TAB_FILTER]) ?? tabs?.[0] ?? null
  const filters = { ...urlState.filters, ...fixedFilters, ...(tab && { [TAB_FILTER]: tab.id }) }
  const search = toRequestSearch({ ...urlState, filters })
  const query = useQuery({
    queryKey: ['admin', ...name.split('.'), 'list', input ?? null, search],
    queryFn: () => callPage(endpoint, input ?? ({} as never), search),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && definition.refetchInterval?.(data.rows)) ?? false,
  })
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set())
  const rows = query.data?.rows ?? []
  const select = (changed: readonly Row[], isSelected: boolean) => {
    const keys = new Set(selectedKeys)
    for (const row of changed) {
      if (isSelected) keys.add(keyOf(row))
      else keys.delete(keyOf(row))
    }
    setSelectedKeys(keys)
  }
  const { [TAB_FILTER]: tabInUrl = '', ...chosenFilters } = urlState.filters
  const tabFilter: Record<string, string> = tabInUrl === '' ? {} : { [TAB_FILTER]: tabInUrl }
  return {
    urlState,
    tab: tab?.id ?? null,
    openTab: (id) => {
      setSelectedKeys(new Set())
      update({ filters: { ...chosenFilters, [TAB_FILTER]: id } })
    },
    isNarrowed: urlState.q !== '' || Object.keys(chosenFilters).length > 0,
    clearSearchAndFilters: () => update({ q: '', filters: tabFilter }),
    update,
    rows,
    keyOf,
    isLoading: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    retry: () => void query.refetch(),
    next: query.data?.next ?? null,
    previous: query.data?.previous ?? null,
    columnIds: visibleColumns(definition, urlState.columns),
    setColumns: (ids) => {
      deviceStorage.write(storageKey(name), ids.join(','))
      update({ columns: ids })
    },
    selected: rows.filter((row) => selectedKeys.has(keyOf(row))),
    isSelected: (row) => selectedKeys.has(keyOf(row)),
    select,
  }
}

const storageKey = (name: string) => `admin.columns.${name}`

/**
 * Ids of the visible columns, in the list's order: those chosen in the URL, else on this device, else all that are not
 * optional. Always includes the first column, which names the row.
 */
function visibleColumns<P extends string, Row>(
  { name, columns }: AdminListDefinition<P, Row>,
  chosen: readonly string[] | null,
): readonly string[] {
  const ids = chosen ?? deviceStorage.read(storageKey(name))?.split(',')
  return columns
    .filter(({ id, isOptional }, index) => index === 0 || (ids ? ids.includes(id) : !isOptional))
    .map(({ id }) => id)
}
