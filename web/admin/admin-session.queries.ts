import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { adminSessionApi } from '../../worker/contract/admin-session'
import type { LogIn } from '../../worker/contract/credentials'
import { call } from '../api/call'

/** The administrator's session; fails with 401 or 403 when there is none. Asked anew by every visit to the desk. */
export const adminSession = queryOptions({
  queryKey: ['admin', 'session'],
  queryFn: () => call(adminSessionApi.session, {}),
  staleTime: 0,
})

/** Opens the desk for 24 hours. */
export function useAdminLogIn() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof LogIn>) => call(adminSessionApi.login, { body }),
    onSuccess: (session) => queries.setQueryData(adminSession.queryKey, session),
  })
}

/** Closes the desk and forgets what it showed. */
export function useAdminLogOut() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(adminSessionApi.logout, {}),
    onSuccess: () => queries.removeQueries({ queryKey: ['admin'] }),
  })
}
