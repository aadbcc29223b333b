import { useMutation, useQueryClient } from '@tanstack/react-query'
import { newsletterApi, type SubscribeResult } from '../../worker/contract/newsletter'
import { call } from '../api/call'
import { sessionQuery } from '../auth/auth.queries'
import { awardText } from '../points/award-text'
import { invalidatePoints } from '../points/points.queries'
import type { Turnstile } from '../turnstile/useTurnstile'

/** Subscribes an address. Refetches a supporter's points: a subscription earns some and may complete a mission. */
export function useSubscribe({ getToken }: Turnstile) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (email: string) => call(newsletterApi.subscribe, { body: { email, ...(await getToken()) } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['newsletter'] })
      if (queryClient.getQueryData(sessionQuery.queryKey)) invalidatePoints(queryClient)
    },
  })
}

export const CHECK_EMAIL = 'Check your inbox to confirm.'

/** Text before a sentence: the points earned, e.g. '+50 points earned! ', and completed missions; may be empty. */
export function subscribedAward({ pointsEarned, missions }: SubscribeResult): string {
  return pointsEarned > 0 ? `${awardText({ pointsAwarded: pointsEarned, missions })}! ` : ''
}

/** Title and text of the toast after subscribing; for visitors, it invites to sign up. */
export function subscribedToast(result: SubscribeResult, isVisitor: boolean): { title: string; text: string } {
  const earned = subscribedAward(result) || (isVisitor ? 'Sign up to earn points! ' : '')
  return {
    title: 'Successfully subscribed!',
    text: `You'll be the first to know about new merch drops. ${earned}${CHECK_EMAIL}`,
  }
}
