import { QueryClient } from '@tanstack/react-query'

/** A query cache with the specification's defaults (section 7): never stale, no refetching, no retries, kept 5 minutes. */
export function newQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60 * 1000,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  })
}
