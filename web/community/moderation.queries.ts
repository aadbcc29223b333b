import { queryOptions } from '@tanstack/react-query'
import { adminUsersApi } from '../../worker/contract/admin'
import { communityApi } from '../../worker/contract/community'
import { useAdminMutation } from '../admin/admin.queries'
import { call, callPage } from '../api/call'

/** Query keys that writes to posts invalidate. */
export const COMMUNITY_QUERY_KEYS = ['tier-posts', 'community'] as const

/** The first page of reported posts, most reported first. */
export const reportedPosts = queryOptions({
  queryKey: ['admin', 'community', 'reported'],
  queryFn: async () => (await callPage(communityApi.moderatedPosts, {}, '?tab=reported')).rows,
  staleTime: 0,
})

/** Shown to the author unless the admin writes another reason. */
export const DEFAULT_HIDE_REASON = 'It doesn’t belong in this community.'

/** Dismisses the reports of a post. `reports` is how many the admin saw; fails if there are new ones. */
export const dismissReports = ({ id, reports }: { id: string; reports: number }) =>
  call(communityApi.dismissReports, { id, body: { reports } })

/** `id` is the post's; for `ban` and `unban` the author's. */
type ModerationAction =
  | { kind: 'dismissReports'; id: string; reports: number }
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
        case 'dismissReports':
          return dismissReports(action)
        case 'unban':
          return call(adminUsersApi.unban, { id })
      }
    },
    COMMUNITY_QUERY_KEYS,
    { refetchOn: 'settled' },
  )
