import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mailingListsApi } from '../../worker/contract/newsletter'
import { stockAlertsApi } from '../../worker/contract/stock-alerts'
import { call } from '../api/call'

export const useConfirmNewsletter = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirm, { body: { token } }) })
export const useConfirmAlert = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirmAlert, { body: { token } }) })
export const useConfirmStockAlert = () =>
  useMutation({ mutationFn: (token: string) => call(stockAlertsApi.confirm, { body: { token } }) })

/** The account's subscription; always stale, because links in emails change it. */
export const myNewsletter = queryOptions({
  queryKey: ['newsletter', 'own'],
  queryFn: () => call(mailingListsApi.myNewsletter, {}),
  staleTime: 0,
})

export function useUnsubscribeMe() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(mailingListsApi.unsubscribeMe, {}),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['newsletter'] }),
  })
}

/** The subscription that an unsubscribe link belongs to. */
export const emailPreferences = (token: string) =>
  queryOptions({
    queryKey: ['newsletter', 'preferences', token],
    queryFn: () => call(mailingListsApi.preferences, { body: { token } }),
  })

export function useChangePreferences(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: { city?: string; subscribed?: boolean }) =>
      call(mailingListsApi.updatePreferences, { body: { token, ...change } }),
    onSuccess: (changed) => queryClient.setQueryData(emailPreferences(token).queryKey, changed),
  })
}

/** Unsubscribes from the newsletter, all show alerts or all stock alerts: the list that the link belongs to. */
export function useUnsubscribe(token: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(mailingListsApi.unsubscribe, { body: { token } }),
    onSuccess: () =>
      queryClient.setQueryData(
        emailPreferences(token).queryKey,
        (current) => current && { ...current, subscribed: false },
      ),
  })
}
