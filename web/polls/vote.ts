import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { pollsApi, type VoteAward } from '../../worker/contract/polls'
import { call, hasStatus } from '../api/call'
import { requestSignUp } from '../auth/pending-choice'
import { awardText } from '../points/award-text'
import { invalidatePoints, markMissionsCompleted } from '../points/points.queries'
import { toast } from '../ui/toast'
import { activePolls, invalidatePolls, updateCachedPoll } from './polls.queries'

type Vote = { pollId: string; optionId: string; optionTitle: string }

/**
 * Votes, then refetches polls, points and missions; also after 409 (an earlier response may have been lost) and 410
 * (the poll has closed), before the error is thrown.
 */
export async function castVote(
  queryClient: QueryClient,
  { pollId, optionId }: Vote,
): Promise<z.output<typeof VoteAward>> {
  try {
    const award = await call(pollsApi.vote, { pollId, body: { optionId } })
    // The response to a request from before the vote would overwrite it in the cache.
    await queryClient.cancelQueries({ queryKey: activePolls.queryKey })
    updateCachedPoll(queryClient, pollId, (poll) => ({ ...poll, userVote: { optionId, counted: award.counted } }))
    markMissionsCompleted(queryClient, award)
    void invalidatePolls(queryClient)
    return award
  } catch (error) {
    if (hasStatus(error, 409, 410)) {
      invalidatePoints(queryClient)
      void invalidatePolls(queryClient)
    }
    throw error
  }
}

export const requestSignUpToVote = ({ pollId, optionId, optionTitle }: Vote): void =>
  requestSignUp({ kind: 'vote', pollId, optionId, title: optionTitle })

/** @param next what the supporter still has to do, appended to the text */
export const toastVote = (award: z.output<typeof VoteAward>, next = ''): void => {
  toast({ title: 'Vote submitted!', text: `${awardText(award)}${next}` })
}

export const toastVoteFailure = (error: Error): void => {
  toast({
    title: 'Vote failed',
    text: error.message || 'You may have already voted in this poll',
    tone: 'destructive',
  })
}

export function useVote() {
  const queryClient = useQueryClient()
  return useMutation({ mutationFn: (vote: Vote) => castVote(queryClient, vote) })
}
