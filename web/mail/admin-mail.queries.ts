import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminMailApi } from '../../worker/contract/mail'
import { call } from '../api/call'

const KEY = ['admin', 'mail']

/** How many mails there are of each state; while some wait they are counted again and again. */
export const mailCounts = queryOptions({
  queryKey: [...KEY, 'counts'],
  queryFn: () => call(adminMailApi.counts, {}),
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? 5_000 : false),
})

/** An act on one mail, or on all, after which the lists are read again: a copy of a broadcast counts there, too. */
function useAct<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  const onSuccess = () =>
    Promise.all([KEY, ['admin', 'broadcasts']].map((queryKey) => queries.invalidateQueries({ queryKey })))
  return useMutation({ mutationFn, onSuccess })
}
export const useResend = () => useAct((id: string) => call(adminMailApi.resend, { id }))
export const useResendFailed = () => useAct(() => call(adminMailApi.resendFailed, {}))
/** An address may be written to again. */
export const useLift = () => useAct((id: string) => call(adminMailApi.lift, { id }))
export const useReveal = () => useMutation({ mutationFn: (id: string) => call(adminMailApi.reveal, { id }) })
