import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { challengeDeskApi } from '../../worker/contract/challenge-desk'
import { deskListsApi } from '../../worker/contract/desk-lists'
import { missionsApi } from '../../worker/contract/missions'
import { pollsApi } from '../../worker/contract/polls'
import { siteContentApi } from '../../worker/contract/site-content'
import { call } from '../api/call'

const fresh = { staleTime: 0 }
export const deskTiers = queryOptions({
  queryKey: ['admin', 'tiers'],
  queryFn: () => call(siteContentApi.tiers, {}),
  ...fresh,
})
export const deskPosts = queryOptions({
  queryKey: ['admin', 'social-posts'],
  queryFn: () => call(siteContentApi.posts, {}),
  ...fresh,
})
export const deskChallenges = queryOptions({
  queryKey: ['admin', 'challenge'],
  queryFn: () => call(challengeDeskApi.challenges, {}),
  ...fresh,
})
export const deskMissions = queryOptions({
  queryKey: ['admin', 'missions'],
  queryFn: () => call(missionsApi.missions, {}),
  ...fresh,
})
export const mostWanted = queryOptions({
  queryKey: ['admin', 'city-demand', 'most'],
  queryFn: () => call(deskListsApi.cityDemand, {}),
  ...fresh,
})

/** What the desk does to a poll: every list of polls is read again. */
export function usePollAct() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ act, id }: { act: 'close' | 'hide' | 'show'; id: string }) => call(pollsApi[act], { id }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['admin', 'polls'] }),
        queries.invalidateQueries({ queryKey: ['polls'] }),
      ]),
  })
}
