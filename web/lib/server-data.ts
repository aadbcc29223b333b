import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useHydrated } from './useHydrated'

/** Prefix of cache keys for the data of the server's HTML, which remains until the whole page is hydrated. */
export const SERVER_DATA_KEY = ['server-rendered']

/**
 * The query's result; during hydration with the data of the HTML. Parts of the page hydrate later than the cache
 * changes, and React does not correct attributes that differ from the HTML.
 */
export function useServerData<Result extends { data: unknown }>(result: Result, queryKey: QueryKey): Result {
  const data = useQueryClient().getQueryData<Result['data']>([...SERVER_DATA_KEY, ...queryKey])
  return useHydrated() || data === undefined ? result : { ...result, data }
}
