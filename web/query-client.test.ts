import { type QueryClient, type QueryKey, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from './api/call'
import { handleSignedOut, sessionQuery, setCurrentUser } from './auth/auth.queries'
import { newQueryClient } from './query-client'
import { mockFetch } from './testing/render'
import { buildSupporter } from './testing/supporter.fixture'

afterEach(() => vi.useRealTimers())

test('by default never refetches or retries', () => {
  expect(newQueryClient().getDefaultOptions()).toEqual({
    queries: {
      networkMode: 'offlineFirst',
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 300_000,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      retry: false,
    },
    mutations: { networkMode: 'always', retry: false },
  })
})

/** Keys of all queries that *.queries.ts files export. */
const queryKeys = Object.values(
  import.meta.glob<Record<string, unknown>>('./**/*.queries.ts', { eager: true }),
).flatMap((moduleExports) =>
  Object.values(moduleExports).flatMap((value) => {
    const key = (value as { queryKey?: QueryKey } | null)?.queryKey
    return Array.isArray(key) ? [key as QueryKey] : []
  }),
)
const supporter = buildSupporter()
const otherSupporter = { ...supporter, id: supporter.id + 1, username: 'other_supporter' }

async function newFilledQueryClient() {
  const queryClient = newQueryClient()
  await setCurrentUser(queryClient, supporter)
  // setCurrentUser() resets the queries 50 ms later.
  vi.advanceTimersByTime(50)
  for (const key of queryKeys)
    if (key[0] !== 'auth') queryClient.setQueryData(key, [{ text: 'Data of the first supporter' }])
  return queryClient
}
/** Keys of queries with data, without the dashboard's, whose data ends with the admin session instead. */
const cachedKeysExceptAdmin = (queryClient: QueryClient) =>
  queryClient
    .getQueryCache()
    .getAll()
    .filter(({ queryKey, state }) => queryKey[0] !== 'admin' && state.data !== undefined)
    .map(({ queryKey }) => queryKey.join('/'))
    .sort()

test('drops a supporter’s data when the session ends or changes', async () => {
  vi.useFakeTimers()
  mockFetch({})
  expect(queryKeys.map((key) => key.join('/'))).toEqual(
    expect.arrayContaining(['account', 'community/exclusive', 'points/history', 'newsletter/own']),
  )
  for (const nextUser of [null, otherSupporter]) {
    const queryClient = await newFilledQueryClient()
    await setCurrentUser(queryClient, nextUser)
    vi.advanceTimersByTime(50)
    expect(cachedKeysExceptAdmin(queryClient)).toEqual(['auth/status', 'config'])
  }
  mockFetch({ 'GET /api/auth/status': null })
  const queryClient = await newFilledQueryClient()
  const stop = new QueryObserver(queryClient, sessionQuery).subscribe(() => undefined)
  handleSignedOut(queryClient, new ApiError(401, 'signed_out', 'Please log in.'))
  await vi.advanceTimersByTimeAsync(60)
  expect(cachedKeysExceptAdmin(queryClient)).toEqual(['auth/status', 'config'])
  stop()
})

test('does not refetch a query that fails with signed_out', async () => {
  vi.useFakeTimers()
  mockFetch({})
  const queryClient = await newFilledQueryClient()
  let fetches = 0
  const queryFn = () => {
    fetches += 1
    return Promise.reject(new ApiError(401, 'signed_out', 'Please log in.'))
  }
  const stopSession = new QueryObserver(queryClient, sessionQuery).subscribe(() => undefined)
  const stop = new QueryObserver(queryClient, { queryKey: ['points', 'more'], queryFn }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(500)
  expect(fetches).toBe(1)
  stopSession()
  stop()
})

test('refetches visible data when the session ends', async () => {
  vi.useFakeTimers()
  mockFetch({})
  const queryClient = await newFilledQueryClient()
  const queryFn = () => new Promise(() => undefined)
  const stop = new QueryObserver(queryClient, { queryKey: ['tracks'], queryFn }).subscribe(() => undefined)
  await setCurrentUser(queryClient, null)
  vi.advanceTimersByTime(50)
  expect(queryClient.getQueryState(['tracks'])).toMatchObject({ isInvalidated: true, fetchStatus: 'fetching' })
  stop()
})

test('a late session response does not restore the previous user', async () => {
  vi.useFakeTimers()
  const late = Promise.withResolvers<Response>()
  mockFetch({ 'GET /api/auth/status': () => late.promise })
  const queryClient = await newFilledQueryClient()
  const request = queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch(() => undefined)
  await setCurrentUser(queryClient, null)
  late.resolve(Response.json(supporter))
  await request
  await vi.advanceTimersByTimeAsync(60)
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toBeNull()
})
