import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'

export const INQUIRIES_KEY = ['admin', 'inquiries'] as const

/** Each daily job's last run. */
export const jobRuns = queryOptions({
  queryKey: ['admin', 'jobs'],
  queryFn: () => call(privacyApi.jobs, {}),
  staleTime: 0,
})

/** How much is kept about the address of an inquiry: counted anew each time it is looked at. */
export const addressData = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'held', id],
    queryFn: () => call(privacyApi.lookUpAddress, { id }),
    staleTime: 0,
  })

/** All of it, as files. */
export const useDownloadAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.exportAddress, { id }) })
/** All of it, by mail to the address. */
export const useEmailAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.emailAddressExport, { id }) })

/** Erases an address and closes its inquiry. */
export function useEraseAddress() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, shownOtherwise }: { id: string; shownOtherwise: boolean }) =>
      call(privacyApi.eraseAddress, { id, body: { shownOtherwise } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INQUIRIES_KEY }),
  })
}

/** Mails an answer and closes the inquiry. */
export function useAnswerInquiry() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: string }) => call(privacyApi.answer, { id, body: { answer } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INQUIRIES_KEY }),
  })
}
