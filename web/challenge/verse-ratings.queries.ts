import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminSubmissionsApi, type VerseSubmission } from '../../worker/contract/admin-challenge'
import { call } from '../api/call'

export const RATINGS = [1, 2, 3, 4, 5] as const

/** All verses of a challenge, first those that the caller has not rated. */
export const listeningQueue = (challengeId: string) =>
  queryOptions({
    queryKey: ['admin', 'submissions', 'listening', challengeId],
    queryFn: () => call(adminSubmissionsApi.listening, { id: challengeId }),
    staleTime: 0,
  })

/** Rates a verse; null removes the rating. Requests are sent one after the other, so that the last choice is stored. */
export function useRateVerse() {
  const queryClient = useQueryClient()
  return useMutation({
    scope: { id: 'verse-rating' },
    mutationFn: ({ id, rating }: { id: string; rating: number | null }) =>
      call(adminSubmissionsApi.rate, { id, body: { rating } }),
    onSuccess: (verse) => {
      queryClient.setQueryData<VerseSubmission[]>(listeningQueue(verse.challengeId).queryKey, (verses) =>
        verses?.map((other) => (other.id === verse.id ? verse : other)),
      )
      void queryClient.invalidateQueries({ queryKey: ['admin', 'submissions', 'list'] })
    },
  })
}
