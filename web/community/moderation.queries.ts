import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminUsersApi } from '../../worker/contract/admin'
import { communityApi, type TierPostDraft } from '../../worker/contract/community'
import { call, callPage } from '../api/call'

/** What the moderators look at; `['admin', ...]`, so that the desk sees when the session is over. */
export const moderationQueue = infiniteQueryOptions({
  queryKey: ['admin', 'community'],
  queryFn: ({ pageParam }) => callPage(communityApi.moderatedPosts, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

/** What stands for the tiers. */
export const publishedExclusivePosts = queryOptions({
  queryKey: ['admin', 'tier-posts'],
  queryFn: () => call(communityApi.exclusivePosts, {}),
  staleTime: 0,
})

/** What was taken down from them; read again with what stands. */
export const removedExclusivePosts = queryOptions({
  queryKey: ['admin', 'tier-posts', 'taken-down'],
  queryFn: () => call(communityApi.takenDown, {}),
  staleTime: 0,
})

type ModerationAction =
  /** `reports` is how many of them are on the screen. */
  | { kind: 'keep'; id: string; reports: number }
  | { kind: 'hide'; id: string; reason: string }
  | { kind: 'ban'; id: string; reason: string }
  | { kind: 'unban'; id: string }

/** One act of moderation; `id` is the post's, or the author's for a ban. */
export function useModerate() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (action: ModerationAction): Promise<undefined> => {
      if (action.kind === 'hide') return call(communityApi.hide, { id: action.id, body: { reason: action.reason } })
      if (action.kind === 'ban') return call(adminUsersApi.ban, { id: action.id, body: { reason: action.reason } })
      if (action.kind === 'keep')
        return call(communityApi.dismissReports, { id: action.id, body: { reports: action.reports } })
      return call(adminUsersApi.unban, { id: action.id })
    },
    // Refused, too: somebody else has been here, or more was reported.
    onSettled: () => invalidateCommunity(queries),
  })
}

export function usePublishExclusivePost() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TierPostDraft) => call(communityApi.publish, { body }),
    onSuccess: () => invalidateCommunity(queries),
  })
}

const invalidateCommunity = (queries: ReturnType<typeof useQueryClient>) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: moderationQueue.queryKey }),
    queries.invalidateQueries({ queryKey: publishedExclusivePosts.queryKey }),
    queries.invalidateQueries({ queryKey: ['community'] }),
  ])

/** What suspending somebody leaves: a picture's address goes on being answered until its post is hidden. */
export const BAN_KEEPS_IMAGES =
  'The pictures of their posts stay open at their own addresses until the posts are hidden: hide what must go.'
