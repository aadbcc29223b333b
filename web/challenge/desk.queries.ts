import { challengeDeskApi, type FinalistDraft } from '../../worker/contract/challenge-desk'
import type { ChallengeState } from '../../worker/contract/challenge-now'
import { useSave } from '../admin/content.queries'
import { call } from '../api/call'

const TOUCHED = ['challenge', 'submissions']

/** Moves a challenge to what follows, now. */
export const useMoveOn = (id: string) =>
  useSave((from: ChallengeState) => call(challengeDeskApi.moveOn, { id, body: { from } }), TOUCHED)

/** Fixes the votes and counts them. */
export const useSeal = (id: string) => useSave(() => call(challengeDeskApi.seal, { id }), TOUCHED)

/** Names the finalists, all of them, in their order. */
export const useNameFinalists = (id: string) =>
  useSave((finalists: FinalistDraft[]) => call(challengeDeskApi.nameFinalists, { id, body: { finalists } }), TOUCHED)

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
