import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import type { Input } from '../api/call'
import { callPage } from '../api/call'
import type { Sort, TableData } from '../ui/DataTable'

const PAGE_SIZE = 50

/** A list loaded completely (a few hundred rows), searched and sorted in the browser. */
export function useLocalListing<Row>(
  { data, error, isPending, isFetching, refetch }: UseQueryResult<Row[]>,
  { label, textOf }: { label: string; textOf: (row: Row) => string },
): TableData<Row> {
  const [text, set] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE)
  const searchText = useDeferredValue(text.trim().toLowerCase())
  const rows = (data ?? []).filter((row) => searchText === '' || textOf(row).toLowerCase().includes(searchText))
  return {
    rows,
    isLoading: isPending,
    error,
    retry: () => void refetch(),
    retrying: isFetching,
    search: { text, set, label },
    sort,
    setSort,
    shownCount: visibleCount,
    loadMore: rows.length > visibleCount ? () => setVisibleCount(visibleCount + PAGE_SIZE) : null,
    loadingMore: false,
  }
}

type PagedListingOptions<P extends string, Row> = {
  /** Starts with 'admin'. */
  key: readonly unknown[]
  endpoint: Endpoint<P, null, z.ZodMiniType<Row[]>>
  /** Path parameters. */
  input?: Input<P, null>
  /** Label of the search field; undefined without search. */
  label?: string
  /** Columns the server can sort by. */
  sortableColumns?: readonly string[]
  /** Query parameters; empty values are left out. */
  filter?: Readonly<Record<string, string>>
}

/** A list searched, sorted and paged by the server (`?q=&sort=&cursor=`, `Link: rel=next`). */
export function usePagedListing<P extends string, Row>(options: PagedListingOptions<P, Row>): TableData<Row> {
  const [text, set] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const q = useDebounced(text.trim())
  const query = useInfiniteQuery({
    queryKey: [...options.key, q, sort, options.filter],
    queryFn: ({ pageParam }) => callPage(options.endpoint, options.input ?? ({} as never), pageParam),
    initialPageParam: toSearchString(q, sort, options.filter),
    getNextPageParam: (last: { next: string | null }) => last.next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return {
    rows,
    isLoading: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
    search: options.label === undefined ? undefined : { text, set, label: options.label },
    sort,
    setSort: options.sortableColumns && setSort,
    serverSortable: options.sortableColumns ?? [],
    shownCount: Number.POSITIVE_INFINITY,
    loadMore: query.hasNextPage ? () => void query.fetchNextPage() : null,
    loadingMore: query.isFetchingNextPage,
  }
}

function toSearchString(q: string, sort: Sort | null, filter: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (q !== '') params.set('q', q)
  if (sort) params.set('sort', `${sort.descending ? '-' : ''}${sort.column}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The text, 250 ms after the last change. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), 250)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
