import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { challengeApi, type MyChallenge, type VerseDraft } from '../../worker/contract/challenge'
import { ApiError, call } from '../api/call'

/** The challenge that is on, or the last one; null while there has been none. It moves by itself while somebody reads. */
export const currentChallenge = queryOptions({
  queryKey: ['challenge', 'current'],
  queryFn: () => call(challengeApi.current, {}),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** One challenge, whatever others came after it; null where there is none of that name. */
export const challengeById = (id: string) =>
  queryOptions({
    queryKey: ['challenge', 'one', id],
    queryFn: async () => {
      try {
        return await call(challengeApi.challenge, { id })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    staleTime: 0,
    refetchInterval: 60_000,
  })

/** What the supporter who is logged in has to do with it. */
export const myChallenge = (id: string) =>
  queryOptions({ queryKey: ['challenge', 'mine', id], queryFn: () => call(challengeApi.mine, { id }) })

/** Sends a verse whose recording is there already. */
export function useSendVerse(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: VerseDraft) => call(challengeApi.submit, { id, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: myChallenge(id).queryKey }),
  })
}

/** Takes the own verse back. */
export function useWithdrawMyVerse(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(challengeApi.withdrawMyVerse, { id }),
    onSettled: () => queries.invalidateQueries({ queryKey: myChallenge(id).queryKey }),
  })
}

/** The same for who holds the link of the mail. */
export const useWithdrawByToken = () =>
  useMutation({ mutationFn: (token: string) => call(challengeApi.withdrawByToken, { body: { token } }) })

/** Casts the one vote; the answer is the ballot from then on. A refusal may mean that the page is behind. */
export function useCastBallot(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (finalistId: string) => call(challengeApi.vote, { id, body: { finalistId } }),
    onSuccess: (ballot) =>
      queries.setQueryData(myChallenge(id).queryKey, (previous?: MyChallenge) => previous && { ...previous, ballot }),
    onError: () => queries.invalidateQueries({ queryKey: ['challenge'] }),
  })
}
