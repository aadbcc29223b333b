import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../worker/contract/endpoint'
import type { Input } from '../api/call'
import { callPage } from '../api/call-page'
import type { Listing, Sort } from '../ui/DataTable'

const AT_ONCE = 50

/** A list that is here as a whole (a few hundred rows): searched, sorted and drawn fifty at a time by the table. */
export function useWholeList<Row>(
  { data, error, isPending, isFetching, refetch }: UseQueryResult<Row[]>,
  { label, textOf }: { label: string; textOf: (row: Row) => string },
): Listing<Row> {
  const [text, set] = useState('')
  const [sort, setSort] = useState<Sort | null>(null)
  const [drawn, setDrawn] = useState(AT_ONCE)
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const rows = (data ?? []).filter((row) => wanted === '' || textOf(row).toLowerCase().includes(wanted))
  return {
    rows,
    isLoading: isPending,
    error,
    retry: () => void refetch(),
    retrying: isFetching,
    search: { text, set, label },
    sort,
    setSort,
    drawn,
    more: rows.length > drawn ? () => setDrawn(drawn + AT_ONCE) : null,
    loadingMore: false,
  }
}

type Asked<P extends string, Row> = {
  /** `['admin', ...]`, so that the desk sees when the session is over. */
  key: readonly unknown[]
  endpoint: Endpoint<P, null, z.ZodMiniType<Row[]>>
  /** What the endpoint's path names, where it names anything: `{ id }`. */
  input?: Input<P, null>
  /** What the search looks through; undefined for a list that has none. */
  label?: string
  /** The columns that the worker sorts by, and the order that it begins with. */
  sortedBy?: readonly string[]
  sort?: Sort
  /** What the list is narrowed to, by the worker's names; an empty value narrows nothing. */
  filter?: Readonly<Record<string, string>>
}

/** A list that the worker searches, sorts and hands out page by page (`?q=&sort=&cursor=`, `Link: rel=next`). */
export function usePages<P extends string, Row>(asked: Asked<P, Row>): Listing<Row> {
  const [text, set] = useState('')
  const [sort, setSort] = useState<Sort | null>(asked.sort ?? null)
  const q = useSettled(text.trim())
  const query = useInfiniteQuery({
    queryKey: [...asked.key, q, sort, asked.filter],
    queryFn: ({ pageParam }) => callPage(asked.endpoint, asked.input ?? ({} as never), pageParam),
    initialPageParam: searchOf(q, sort, asked.filter),
    getNextPageParam: (last: { next: string | null }) => last.next,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const rows = query.data?.pages.flatMap((one) => one.rows) ?? []
  return {
    rows,
    isLoading: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    retrying: query.isFetching,
    search: asked.label === undefined ? undefined : { text, set, label: asked.label },
    sort,
    setSort: asked.sortedBy && setSort,
    sortedElsewhere: asked.sortedBy ?? [],
    drawn: Number.POSITIVE_INFINITY,
    more: query.hasNextPage ? () => void query.fetchNextPage() : null,
    loadingMore: query.isFetchingNextPage,
  }
}

function searchOf(q: string, sort: Sort | null, filter: Readonly<Record<string, string>> = {}): string {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (q !== '') params.set('q', q)
  if (sort) params.set('sort', `${sort.descending ? '-' : ''}${sort.column}`)
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The text once nobody has typed for a quarter of a second. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
