import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import {
  handleSignedOut,
  handleUnconfirmedEmail,
  updatePoints,
  VISITOR_DATA_UPDATED_AT,
  VISITOR_PAGE_KEY,
} from './auth/auth.queries'
import { SERVER_DATA_KEY } from './lib/server-data'
import type { DehydratedQueries } from './render'

/**
 * Creates the query client: by default, data is never stale, refetched or retried. Points in a mutation's response
 * update the session, and a 'signed_out' error refetches it, because a supporter may log out elsewhere.
 */
export function newQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (response) => updatePoints(queryClient, response),
      onError: (error) => {
        handleSignedOut(queryClient, error)
        handleUnconfirmedEmail(queryClient, error)
      },
    }),
    queryCache: new QueryCache({ onError: (error) => handleSignedOut(queryClient, error) }),
    defaultOptions: {
      queries: {
        // The service worker serves cached data without a connection.
        networkMode: 'offlineFirst',
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60 * 1000,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        retry: false,
      },
      // Offline, a vote or an order fails immediately instead of waiting for a connection.
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // Never removed, because parts of the page may hydrate much later.
  for (const key of [VISITOR_PAGE_KEY, SERVER_DATA_KEY])
    queryClient.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY })
  return queryClient
}

/** Fills the cache with the data of a page that the server rendered for any visitor, and a copy for `useServerData`. */
export function hydrateQueries(queryClient: QueryClient, state: DehydratedQueries): void {
  for (const [key, data] of state) {
    queryClient.setQueryData(key, data, { updatedAt: VISITOR_DATA_UPDATED_AT })
    queryClient.setQueryData([...SERVER_DATA_KEY, ...key], data)
  }
}
