import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminMailApi } from '../../worker/contract/mail'
import { call } from '../api/call'

const KEY = ['admin', 'mail']

/** How many mails there are of each state. */
export const mailCounts = queryOptions({
  queryKey: [...KEY, 'counts'],
  queryFn: () => call(adminMailApi.counts, {}),
  staleTime: 0,
})

/** An act on one mail, or on all, after which the lists are read again. */
function useAct<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: KEY }) })
}
export const useResend = () => useAct((id: string) => call(adminMailApi.resend, { id }))
export const useResendFailed = () => useAct(() => call(adminMailApi.resendFailed, {}))
export const useReveal = () => useMutation({ mutationFn: (id: string) => call(adminMailApi.reveal, { id }) })
