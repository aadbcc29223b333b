import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminChallengeApi } from '../../worker/contract/admin-challenge'
import { adminListsApi } from '../../worker/contract/admin-lists'
import { adminMissionsApi } from '../../worker/contract/admin-missions'
import { adminSiteContentApi } from '../../worker/contract/admin-site-content'
import { pollsApi } from '../../worker/contract/polls'
import { call } from '../api/call'

const alwaysStale = { staleTime: 0 }
export const adminTiers = queryOptions({
  queryKey: ['admin', 'tiers'],
  queryFn: () => call(adminSiteContentApi.tiers, {}),
  ...alwaysStale,
})
export const adminSocialPosts = queryOptions({
  queryKey: ['admin', 'social-posts'],
  queryFn: () => call(adminSiteContentApi.posts, {}),
  ...alwaysStale,
})
export const adminChallenges = queryOptions({
  queryKey: ['admin', 'challenge'],
  queryFn: () => call(adminChallengeApi.challenges, {}),
  ...alwaysStale,
})
export const adminMissions = queryOptions({
  queryKey: ['admin', 'missions'],
  queryFn: () => call(adminMissionsApi.missions, {}),
  ...alwaysStale,
})
export const topCityRequests = queryOptions({
  queryKey: ['admin', 'city-demand', 'most'],
  queryFn: () => call(adminListsApi.cityDemand, {}),
  ...alwaysStale,
})

/** What the desk does to a poll: every list of polls is read again. */
export function usePollAction() {
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
