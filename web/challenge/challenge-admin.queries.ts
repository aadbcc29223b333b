import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AdminChallenge,
  adminChallengeApi,
  adminSubmissionsApi,
  type FinalistDraft,
} from '../../worker/contract/admin-challenge'
import type { ChallengeState } from '../../worker/contract/challenge'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

/** Query keys that a change of the challenge invalidates. */
export const CHALLENGE_QUERY_KEYS = ['challenge', 'submissions']

export const useAdvancePhase = (id: string) =>
  useAdminMutation(
    (from: ChallengeState) => call(adminChallengeApi.advanceState, { id, body: { from } }),
    CHALLENGE_QUERY_KEYS,
  )

export const useSealResult = (id: string) =>
  useAdminMutation(() => call(adminChallengeApi.seal, { id }), CHALLENGE_QUERY_KEYS)

/** Replaces the list of finalists. Refetches the list after an error, because another admin may have changed it. */
export function useSetFinalists({ id, finalists: loadedFinalists }: AdminChallenge) {
  const queryClient = useQueryClient()
  const loadedIds = loadedFinalists.map((finalist) => finalist.id)
  return useAdminMutation(async (finalists: FinalistDraft[]) => {
    try {
      await call(adminChallengeApi.setFinalists, { id, body: { was: loadedIds, finalists } })
    } catch (error) {
      void queryClient.invalidateQueries({ queryKey: ['admin', 'challenge'] })
      throw error
    }
  }, CHALLENGE_QUERY_KEYS)
}

export const useAcceptNewAccountBallots = (id: string) =>
  useAdminMutation(
    (reason: string) => call(adminChallengeApi.acceptNewAccounts, { id, body: { reason } }),
    CHALLENGE_QUERY_KEYS,
  )

/** Decides about a flagged ballot by its number: `keep` counts it, otherwise it is excluded. */
export const useDecideBallot = (id: string) =>
  useAdminMutation(
    ({ ballot, keep, reason }: { ballot: number; keep: boolean; reason: string }) =>
      call(adminChallengeApi.decideFlag, { id, ballot: String(ballot), body: { keep, reason } }),
    CHALLENGE_QUERY_KEYS,
  )

export const useUpdateVerse = (id: string) =>
  useAdminMutation(
    (body: { shortlisted?: boolean; note?: string }) => call(adminChallengeApi.updateVerse, { id, body }),
    ['submissions'],
  )

export const useRevealSubmission = () =>
  useMutation({ mutationFn: (id: string) => call(adminSubmissionsApi.reveal, { id }) })

/** All challenges, newest first. */
export const adminChallenges = adminQuery('challenge', adminChallengeApi.challenges)
