import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { adminUsersApi } from '../../worker/contract/admin'
import { communityApi } from '../../worker/contract/community'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call, callPage } from '../api/call'

/** Query keys that writes to posts invalidate. */
export const COMMUNITY_KEYS = ['tier-posts', 'community'] as const

/** Shown where an admin suspends an author. */
export const BAN_KEEPS_IMAGES_TEXT =
  'Anyone with the link can still open the pictures in their posts. To stop that, hide those posts.'

export const moderationQueue = infiniteQueryOptions({
  queryKey: ['admin', 'community'],
  queryFn: ({ pageParam }) => callPage(communityApi.moderatedPosts, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

export const publishedExclusivePosts = adminQuery('tier-posts', communityApi.exclusivePosts)

/** Its key begins with that of the published posts, so both refetch together. */
export const removedExclusivePosts = queryOptions({
  queryKey: ['admin', 'tier-posts', 'taken-down'],
  queryFn: () => call(communityApi.takenDown, {}),
  staleTime: 0,
})

/** `id` is the post's; for `ban` and `unban` the author's. */
type ModerationAction =
  /** `reports` is the number of reports that the admin has seen. */
  | { kind: 'keep'; id: string; reports: number }
  | { kind: 'hide' | 'ban'; id: string; reason: string }
  | { kind: 'unban'; id: string }

/** Refetches after an error too: another admin may have acted, or a report may have arrived. */
export const useModerate = () =>
  useAdminMutation(
    (action: ModerationAction): Promise<undefined> => {
      const { id } = action
      switch (action.kind) {
        case 'hide':
          return call(communityApi.hide, { id, body: { reason: action.reason } })
        case 'ban':
          return call(adminUsersApi.ban, { id, body: { reason: action.reason } })
        case 'keep':
          return call(communityApi.dismissReports, { id, body: { reports: action.reports } })
        case 'unban':
          return call(adminUsersApi.unban, { id })
      }
    },
    COMMUNITY_KEYS,
    { refetchOn: 'settled' },
  )
