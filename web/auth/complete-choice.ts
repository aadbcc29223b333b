import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '../../worker/contract/auth'
import { challengeApi } from '../../worker/contract/challenge'
import { communityApi } from '../../worker/contract/community'
import { call } from '../api/call'
import { castVote, toastVote, toastVoteFailure } from '../polls/vote'
import { setLiked, toastLiked } from '../tracks/like'
import { toast, toastError } from '../ui/toast'
import type { PendingChoice } from './pending-choice'

/**
 * Completes what the user chose as a visitor, with the toast of that action. Resolves to false after an error. A ballot
 * of an unconfirmed account is not cast: its toast asks the user to confirm the email first.
 */
export async function completeChoice(queryClient: QueryClient, choice: PendingChoice, me: Me): Promise<boolean> {
  // This toast replaces the sign-up's, so it must include that toast's next step.
  const confirmText = me.emailVerified ? '' : `. Please confirm ${me.email}. Your account page can send the link again.`
  try {
    switch (choice.kind) {
      case 'vote': {
        const award = await castVote(queryClient, { ...choice, optionTitle: choice.title })
        const pendingNote = `. It counts once you confirm ${me.email}.`
        toastVote(award, award.counted || me.emailVerified ? '' : pendingNote)
        return true
      }
      case 'ballot': {
        const name = choice.title
        if (!me.emailVerified) {
          toast({
            title: 'Confirm your email first',
            text: `Once you have confirmed ${me.email}, you can vote for ${name}. Your account page can send the link again.`,
          })
          return true
        }
        await call(challengeApi.vote, { id: choice.challengeId, body: { finalistId: choice.finalistId } })
        void queryClient.invalidateQueries({ queryKey: ['challenge'] })
        toast({ title: 'Vote submitted!', text: `Your vote for ${name} counts.` })
        return true
      }
      case 'like':
        toastLiked(await setLiked(queryClient, choice.trackId, true), confirmText)
        return true
      case 'postLike':
        await call(communityApi.like, { id: choice.postId })
        void queryClient.invalidateQueries({ queryKey: ['community'] })
        toast({ title: 'Liked!', text: `You like ${choice.title}${confirmText}` })
        return true
      case 'other':
        return true
    }
  } catch (error) {
    const toastFailure =
      choice.kind === 'vote' || choice.kind === 'ballot' ? toastVoteFailure : toastError('Like failed')
    toastFailure(error as Error)
    return false
  }
}
