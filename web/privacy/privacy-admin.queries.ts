import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { privacyApi } from '../../worker/contract/privacy'
import { call } from '../api/call'

export const INQUIRIES_KEY = ['admin', 'inquiries'] as const

export const jobRuns = queryOptions({
  queryKey: ['admin', 'jobs'],
  queryFn: () => call(privacyApi.jobs, {}),
  staleTime: 0,
})

export const addressData = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'held', id],
    queryFn: () => call(privacyApi.lookUpAddress, { id }),
    staleTime: 0,
  })

export const useDownloadAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.exportAddress, { id }) })
export const useEmailAddressData = () =>
  useMutation({ mutationFn: (id: string) => call(privacyApi.emailAddressExport, { id }) })

export function useEraseAddress() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, shownOtherwise }: { id: string; shownOtherwise: boolean }) =>
      call(privacyApi.eraseAddress, { id, body: { shownOtherwise } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INQUIRIES_KEY }),
  })
}

export function useAnswerInquiry() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: string }) => call(privacyApi.answer, { id, body: { answer } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INQUIRIES_KEY }),
  })
}
