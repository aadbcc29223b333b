import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { communityApi, type TierPostDraft } from '../../worker/contract/community'
import { peopleApi } from '../../worker/contract/people'
import { call } from '../api/call'
import { callPage } from '../api/call-page'

/** What the moderators look at; `['admin', ...]`, so that the desk sees when the session is over. */
export const watched = infiniteQueryOptions({
  queryKey: ['admin', 'community'],
  queryFn: ({ pageParam }) => callPage(communityApi.watched, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

/** What stands for the tiers. */
export const published = queryOptions({
  queryKey: ['admin', 'tier-posts'],
  queryFn: () => call(communityApi.published, {}),
  staleTime: 0,
})

/** What was taken down from them; read again with what stands. */
export const takenDown = queryOptions({
  queryKey: ['admin', 'tier-posts', 'taken-down'],
  queryFn: () => call(communityApi.takenDown, {}),
  staleTime: 0,
})

type Act =
  /** `reports` is how many of them are on the screen. */
  | { kind: 'keep'; id: string; reports: number }
  | { kind: 'hide'; id: string; reason: string }
  | { kind: 'ban'; id: string; reason: string }
  | { kind: 'unban'; id: string }

/** One act of moderation; `id` is the post's, or the author's for a ban. */
export function useModerate() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (act: Act): Promise<undefined> => {
      if (act.kind === 'hide') return call(communityApi.hide, { id: act.id, body: { reason: act.reason } })
      if (act.kind === 'ban') return call(peopleApi.ban, { id: act.id, body: { reason: act.reason } })
      if (act.kind === 'keep') return call(communityApi.keep, { id: act.id, body: { reports: act.reports } })
      return call(peopleApi.unban, { id: act.id })
    },
    // Refused, too: somebody else has been here, or more was reported.
    onSettled: () => forget(queries),
  })
}

export function usePublish() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: TierPostDraft) => call(communityApi.publish, { body }),
    onSuccess: () => forget(queries),
  })
}

const forget = (queries: ReturnType<typeof useQueryClient>) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: watched.queryKey }),
    queries.invalidateQueries({ queryKey: published.queryKey }),
    queries.invalidateQueries({ queryKey: ['community'] }),
  ])
