import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { challengeApi, type MyChallenge } from '../../worker/contract/challenge'
import type { VerseDraft } from '../../worker/contract/drafts'
import { call, nullIfNotFound } from '../api/call'
import type { Turnstile } from '../turnstile/useTurnstile'

/** The running challenge, else the last one; null if there was none. */
export const currentChallenge = queryOptions({
  queryKey: ['challenge', 'current'],
  queryFn: () => call(challengeApi.current, {}),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** The challenge, or null if it does not exist. */
export const challengeById = (id: string) =>
  queryOptions({
    queryKey: ['challenge', 'one', id],
    queryFn: () => call(challengeApi.challenge, { id }).catch(nullIfNotFound),
    staleTime: 0,
    refetchInterval: 60_000,
  })

/** The caller's verse and ballot in a challenge. */
export const myChallenge = (id: string) =>
  queryOptions({ queryKey: ['challenge', 'mine', id], queryFn: () => call(challengeApi.mine, { id }) })

export function useSubmitVerse(id: string, { getToken }: Turnstile) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (draft: VerseDraft) =>
      call(challengeApi.submit, { id, body: { ...draft, ...(await getToken()) } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: myChallenge(id).queryKey }),
  })
}

export function useWithdrawMyVerse(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(challengeApi.withdrawMyVerse, { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: myChallenge(id).queryKey }),
  })
}

export const useConfirmVerse = () =>
  useMutation({ mutationFn: (token: string) => call(challengeApi.confirmVerse, { body: { token } }) })

export const useWithdrawByToken = () =>
  useMutation({ mutationFn: (token: string) => call(challengeApi.withdrawByToken, { body: { token } }) })

/** Casts the vote, then caches and refetches the ballot. On an error, reloads the challenge: it may be outdated. */
export function useCastBallot(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (finalistId: string) => call(challengeApi.vote, { id, body: { finalistId } }),
    onSuccess: async (ballot) => {
      const { queryKey } = myChallenge(id)
      // A pending request may have been sent before the vote; its response would remove the ballot from the cache.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, (previous?: MyChallenge) => previous && { ...previous, ballot })
      void queryClient.invalidateQueries({ queryKey })
    },
    onError: () => queryClient.invalidateQueries({ queryKey: ['challenge'] }),
  })
}
