import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { communityApi } from '../../worker/contract/community'
import { peopleApi } from '../../worker/contract/people'
import { call } from '../api/call'

/** What the moderators look at; `['admin', ...]`, so that the desk sees when the session is over. */
export const watched = queryOptions({
  queryKey: ['admin', 'community'],
  queryFn: () => call(communityApi.watched, {}),
  staleTime: 0,
})

type Act =
  | { kind: 'keep'; id: string }
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
      return call(act.kind === 'keep' ? communityApi.keep : peopleApi.unban, { id: act.id })
    },
    onSuccess: () => forget(queries),
  })
}

export function usePublish() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { title: string; text: string; tier: 'silver' | 'gold' }) =>
      call(communityApi.publish, { body }),
    onSuccess: () => forget(queries),
  })
}

const forget = (queries: ReturnType<typeof useQueryClient>) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: watched.queryKey }),
    queries.invalidateQueries({ queryKey: ['community'] }),
  ])
