import { queryOptions, useQuery } from '@tanstack/react-query'
import { authApi } from '../../worker/contract/auth'
import { call } from '../api/call'

/** Who is logged in: null for a visitor. */
export const authStatus = queryOptions({
  queryKey: ['auth', 'status'],
  queryFn: () => call(authApi.status, {}),
})

/** The logged-in supporter, null for a visitor, undefined while it is not known. */
export function useMe() {
  return useQuery(authStatus).data
}
