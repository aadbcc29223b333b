import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pollsApi } from '../../worker/contract/polls'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'

export const activePolls = queryOptions({
  queryKey: ['polls', 'active'],
  queryFn: () => call(pollsApi.active, {}),
})

/** The polls that take votes now. */
export function useActivePolls() {
  return useQuery(activePolls)
}

/** Casts a ballot. Points and missions move with it: polls, session and missions are read again (specification, section 7). */
export function useVote(pollId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (optionId: string) => call(pollsApi.vote, { pollId, body: { optionId } }),
    onSuccess: () =>
      Promise.all(
        [activePolls.queryKey, authStatus.queryKey, ['missions']].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
