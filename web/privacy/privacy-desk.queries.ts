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

/** Mails an answer and closes the inquiry. */
export function useAnswer() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, answer }: { id: string; answer: string }) => call(privacyApi.answer, { id, body: { answer } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INQUIRIES_KEY }),
  })
}
