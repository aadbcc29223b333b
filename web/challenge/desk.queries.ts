import { useQueryClient } from '@tanstack/react-query'
import { challengeDeskApi, type DeskChallenge, type FinalistDraft } from '../../worker/contract/challenge-desk'
import type { ChallengeState } from '../../worker/contract/challenge-now'
import { useSave } from '../admin/content.queries'
import { call } from '../api/call'

const TOUCHED = ['challenge', 'submissions']

/** Moves a challenge to what follows, now. */
export const useMoveOn = (id: string) =>
  useSave((from: ChallengeState) => call(challengeDeskApi.moveOn, { id, body: { from } }), TOUCHED)

/** Fixes the votes and counts them. */
export const useSeal = (id: string) => useSave(() => call(challengeDeskApi.seal, { id }), TOUCHED)

/** Names the finalists, all of them, in their order: made from those that the desk was shown. A refusal reads them again. */
export function useNameFinalists({ id, finalists: seen }: DeskChallenge) {
  const queries = useQueryClient()
  const was = seen.map((one) => one.id)
  return useSave(async (finalists: FinalistDraft[]) => {
    try {
      await call(challengeDeskApi.nameFinalists, { id, body: { was, finalists } })
    } catch (error) {
      void queries.invalidateQueries({ queryKey: ['admin', 'challenge'] })
      throw error
    }
  }, TOUCHED)
}

/** Keeps every ballot that is flagged for nothing but a new account. */
export const useKeepNewAccounts = (id: string) =>
  useSave((reason: string) => call(challengeDeskApi.keepNewAccounts, { id, body: { reason } }), TOUCHED)

/** Keeps a flagged ballot, or leaves it out of the count. */
export const useDecide = (id: string) =>
  useSave(
    ({ ballot, keep, reason }: { ballot: number; keep: boolean; reason: string }) =>
      call(challengeDeskApi.decide, { id, ballot: String(ballot), body: { keep, reason } }),
    TOUCHED,
  )

/** The desk's own mark and words on a verse. */
export const useMarkVerse = (id: string) =>
  useSave(
    (body: { shortlisted?: boolean; note?: string }) => call(challengeDeskApi.markVerse, { id, body }),
    ['submissions'],
  )
