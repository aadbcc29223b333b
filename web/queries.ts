import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { handleSignedOut, updatePoints } from './auth/auth.queries'

/**
 * A query cache with the specification's defaults (section 7): never stale, no refetching, no retries, kept 5 minutes.
 * Whatever act is performed through it, the points that its answer names are shown at once; whoever was logged out
 * elsewhere is shown as a visitor from the first refusal on, and nothing of who left stays.
 */
export function newQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (response) => updatePoints(queries, response),
      onError: (error) => handleSignedOut(queries, error),
    }),
    queryCache: new QueryCache({ onError: (error) => handleSignedOut(queries, error) }),
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
  return queries
}
