import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminEmailApi } from '../../worker/contract/email'
import { call } from '../api/call'

const KEY = ['admin', 'mail']

/** How many mails there are of each state; while some wait they are counted again and again. */
export const emailCounts = queryOptions({
  queryKey: [...KEY, 'counts'],
  queryFn: () => call(adminEmailApi.counts, {}),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? 5_000 : false),
})

/** An act on one mail, or on all, after which the lists are read again: a copy of a broadcast counts there, too. */
function useEmailMutation<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  const onSuccess = () =>
    Promise.all([KEY, ['admin', 'broadcasts']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  return useMutation({ mutationFn, onSuccess })
}
export const useResendEmail = () => useEmailMutation((id: string) => call(adminEmailApi.resend, { id }))
export const useResendFailedEmails = () => useEmailMutation(() => call(adminEmailApi.resendFailed, {}))
/** An address may be written to again. */
export const useRemoveSuppression = () => useEmailMutation((id: string) => call(adminEmailApi.liftSuppression, { id }))
export const useRevealRecipient = () => useMutation({ mutationFn: (id: string) => call(adminEmailApi.reveal, { id }) })
