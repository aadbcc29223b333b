import { useNavigate, useSearch } from '@tanstack/react-router'

type Sort = { column: string; descending: boolean }

/** The state of a list in the URL. */
export type ListUrlState = {
  /** The search text. */
  q: string
  /** Null for the list's default order. */
  sort: Sort | null
  cursor: string | null
  /** Values of filters as the server takes them: `silver,gold`, `2026-01-01..`. */
  filters: Readonly<Record<string, string>>
  /** Ids of the visible columns; null if not chosen. */
  columns: readonly string[] | null
}

type Search = Record<string, unknown>
const LIST_PARAMS = ['q', 'sort', 'cursor', 'cols'] as const

/** A search parameter as text: the router parses `?q=12` as a number. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

const parseSort = (text: string): Sort | null =>
  text === '' ? null : { column: text.replace(/^-/, ''), descending: text.startsWith('-') }
export const formatSort = (sort: Sort | null) => (sort ? `${sort.descending ? '-' : ''}${sort.column}` : '')

/** The search parameters; empty ones are left out. */
function toParams({ q, sort, cursor, filters, columns }: ListUrlState): Record<string, string> {
  const params = { ...filters, q, sort: formatSort(sort), cursor: cursor ?? '', cols: columns?.join(',') ?? '' }
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))
}

function parseUrlState(search: Search, filterIds: readonly string[]): ListUrlState {
  const columns = textOf(search.cols)
  return {
    q: textOf(search.q),
    sort: parseSort(textOf(search.sort)),
    cursor: textOf(search.cursor) || null,
    filters: Object.fromEntries(
      filterIds.flatMap((id) => (textOf(search[id]) === '' ? [] : [[id, textOf(search[id])] as const])),
    ),
    columns: columns === '' ? null : columns.split(','),
  }
}

/** The query string that a saved view stores: all of the state except the page. */
export function toViewSearch(urlState: ListUrlState): string {
  const text = new URLSearchParams(toParams({ ...urlState, cursor: null })).toString()
  return text === '' ? '' : `?${text}`
}

/** The state that a saved view opens. */
export const parseViewSearch = (search: string, filterIds: readonly string[]): ListUrlState =>
  parseUrlState(Object.fromEntries(new URLSearchParams(search)), filterIds)

/** The query string that requests the page: all of the state except the columns. */
export function toRequestSearch(urlState: ListUrlState): string {
  const text = new URLSearchParams(toParams({ ...urlState, columns: null })).toString()
  return text === '' ? '' : `?${text}`
}

type Options = {
  filterIds: readonly string[]
  /** Prefix of each parameter, on a screen with several lists. */
  prefix: string
}
type Update = (changes: Partial<ListUrlState>, options?: { replace?: boolean }) => void

/** A list's state in the URL, so that Back, reload and links work. A change of search, filters or sort opens page 1. */
export function useListUrlState({ filterIds, prefix }: Options): [ListUrlState, Update] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const paramNames = [...LIST_PARAMS, ...filterIds]
  const listSearch = Object.fromEntries(paramNames.map((key) => [key, search[prefix + key]]))
  const urlState = parseUrlState(listSearch, filterIds)
  const update: Update = (changes, { replace = false } = {}) => {
    const opensFirstPage = !('cursor' in changes) && !('columns' in changes)
    const params = toParams({ ...urlState, ...(opensFirstPage && { cursor: null }), ...changes })
    const next = Object.fromEntries(paramNames.map((key) => [prefix + key, params[key]]))
    const withoutUndefined = (all: Search) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    void navigate({
      to: '.',
      search: ((all: Search) => withoutUndefined({ ...all, ...next })) as never,
      replace,
      resetScroll: false,
    })
  }
  return [urlState, update]
}
