import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useHydrated } from './useHydrated'

/** Query keys with this prefix hold the data that the server rendered. */
export const SERVER_DATA_KEY = ['server-rendered']

/**
 * The query's result; during hydration, with the data that the server rendered. The query cache may change before a
 * part of the page hydrates, and React does not correct attributes that differ from the HTML.
 */
export function useServerData<Result extends { data: unknown }>(result: Result, queryKey: QueryKey): Result {
  const data = useQueryClient().getQueryData<Result['data']>([...SERVER_DATA_KEY, ...queryKey])
  return useHydrated() || data === undefined ? result : { ...result, data }
}
