import { queryOptions, useQuery } from '@tanstack/react-query'
import { pollsApi } from '../../worker/contract/polls'
import { call } from '../api/call'

export const activePolls = queryOptions({
  queryKey: ['polls', 'active'],
  queryFn: () => call(pollsApi.active, {}),
})

/** The polls that take votes now. */
export function useActivePolls() {
  return useQuery(activePolls)
}
