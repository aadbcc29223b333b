import { queryOptions, useMutation } from '@tanstack/react-query'
import { concertsApi } from '../../worker/contract/concerts'
import { call } from '../api/call'
import type { Turnstile } from '../turnstile/useTurnstile'

/** Upcoming shows, the next one first. */
export const upcomingConcerts = queryOptions({
  queryKey: ['concerts', 'upcoming'],
  queryFn: () => call(concertsApi.upcoming, {}),
})

/** All shows, past ones included. */
export const allConcerts = queryOptions({
  queryKey: ['concerts', 'all'],
  queryFn: () => call(concertsApi.list, {}),
})

export function useShowAlert({ getToken }: Turnstile) {
  return useMutation({
    mutationFn: async (entry: string) => call(concertsApi.subscribeAlert, { body: { entry, ...(await getToken()) } }),
  })
}

export function useCityRequest() {
  return useMutation({ mutationFn: (entry: string) => call(concertsApi.requestCity, { body: { entry } }) })
}
