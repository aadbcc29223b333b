import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listsApi } from '../../worker/contract/lists'
import { call } from '../api/call'

/** Presses the button of a mailed question. */
export const useConfirmNewsletter = () =>
  useMutation({ mutationFn: (token: string) => call(listsApi.confirm, { body: { token } }) })
export const useConfirmAlert = () =>
  useMutation({ mutationFn: (token: string) => call(listsApi.confirmAlert, { body: { token } }) })

/** Whether the account's own address gets the newsletter: asked anew each time, because mails' buttons change it. */
export const ownNewsletter = queryOptions({
  queryKey: ['newsletter', 'own'],
  queryFn: () => call(listsApi.own, {}),
  staleTime: 0,
})

export function useLeaveOwn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(listsApi.leaveOwn, {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['newsletter'] }),
  })
}

/** What the holder of a mail's way out gets. */
export const preferences = (token: string) =>
  queryOptions({
    queryKey: ['newsletter', 'preferences', token],
    queryFn: () => call(listsApi.preferences, { body: { token } }),
  })

/** Changes it; the page shows what is true afterwards. */
export function useChangePreferences(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: { city?: string; subscribed?: boolean }) =>
      call(listsApi.changePreferences, { body: { token, ...change } }),
    onSuccess: (changed) => queries.setQueryData(preferences(token).queryKey, changed),
  })
}

/** Leaves the list that the link is of. */
export function useUnsubscribe(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(listsApi.unsubscribe, { body: { token } }),
    onSuccess: () =>
      queries.setQueryData(preferences(token).queryKey, (before) => before && { ...before, subscribed: false }),
  })
}
