import { expect, test } from 'vitest'
import { newQueries } from './queries'

test('queries never go stale, are not refetched, not retried, and kept five minutes', () => {
  expect(newQueries().getDefaultOptions()).toEqual({
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 300_000,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    },
    mutations: { retry: false },
  })
})
