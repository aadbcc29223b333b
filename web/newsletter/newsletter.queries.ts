import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mailingListsApi, newsletterApi } from '../../worker/contract/newsletter'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'
import { invalidatePoints } from '../points/points.queries'
import type { Turnstile } from '../turnstile/useTurnstile'

/** Subscribes an address. Refetches a supporter's points, because they earn some and may complete a mission. */
export function useSubscribe({ getToken }: Turnstile) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (email: string) => call(newsletterApi.subscribe, { body: { email, ...(await getToken()) } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['newsletter'] })
      if (!queries.getQueryData(authStatus.queryKey)) return
      void queries.invalidateQueries({ queryKey: ['auth', 'user'] })
      invalidatePoints(queries)
    },
  })
}

export const useConfirmNewsletter = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirm, { body: { token } }) })
export const useConfirmAlert = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirmAlert, { body: { token } }) })

/** The account's subscription; always stale, because links in emails change it. */
export const myNewsletter = queryOptions({
  queryKey: ['newsletter', 'own'],
  queryFn: () => call(mailingListsApi.myNewsletter, {}),
  staleTime: 0,
})

export function useUnsubscribeMe() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(mailingListsApi.unsubscribeMe, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['newsletter'] }),
  })
}

/** Lists that the holder of an unsubscribe link receives. */
export const preferences = (token: string) =>
  queryOptions({
    queryKey: ['newsletter', 'preferences', token],
    queryFn: () => call(mailingListsApi.preferences, { body: { token } }),
  })

export function useChangePreferences(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: { city?: string; subscribed?: boolean }) =>
      call(mailingListsApi.updatePreferences, { body: { token, ...change } }),
    onSuccess: (changed) => queries.setQueryData(preferences(token).queryKey, changed),
  })
}

/** Unsubscribes from the list of the link. */
export function useUnsubscribe(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(mailingListsApi.unsubscribe, { body: { token } }),
    onSuccess: () =>
      queries.setQueryData(preferences(token).queryKey, (current) => current && { ...current, subscribed: false }),
  })
}

export const CHECK_EMAIL = 'Check your mail to confirm.'

/** Toast after subscribing; `pointsEarned` is 0 for a visitor. */
export function subscribedToast(pointsEarned: number): { title: string; text: string } {
  const earned = pointsEarned > 0 ? `+${pointsEarned} points earned!` : 'Sign up to earn points!'
  return {
    title: 'Successfully subscribed!',
    text: `You'll be the first to know about new merch drops. ${earned} ${CHECK_EMAIL}`,
  }
}
