import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { mailingListsApi } from '../../worker/contract/mailing-lists'
import { call } from '../api/call'

/** Presses the button of a mailed question. */
export const useConfirmNewsletter = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirm, { body: { token } }) })
export const useConfirmAlert = () =>
  useMutation({ mutationFn: (token: string) => call(mailingListsApi.confirmAlert, { body: { token } }) })

/** Whether the account's own address gets the newsletter: asked anew each time, because mails' buttons change it. */
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

/** What the holder of a mail's way out gets. */
export const preferences = (token: string) =>
  queryOptions({
    queryKey: ['newsletter', 'preferences', token],
    queryFn: () => call(mailingListsApi.preferences, { body: { token } }),
  })

/** Changes it; the page shows what is true afterwards. */
export function useChangePreferences(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: { city?: string; subscribed?: boolean }) =>
      call(mailingListsApi.updatePreferences, { body: { token, ...change } }),
    onSuccess: (changed) => queries.setQueryData(preferences(token).queryKey, changed),
  })
}

/** Leaves the list that the link is of. */
export function useUnsubscribe(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(mailingListsApi.unsubscribe, { body: { token } }),
    onSuccess: () =>
      queries.setQueryData(preferences(token).queryKey, (before) => before && { ...before, subscribed: false }),
  })
}
