import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { type AdminLogIn, adminSessionApi } from '../../worker/contract/admin-session'
import { call } from '../api/call'
import { toast } from '../ui/toast'

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
    mutationFn: (body: z.input<typeof AdminLogIn>) => call(adminSessionApi.login, { body }),
    onSuccess: (session) => queries.setQueryData(adminSession.queryKey, session),
  })
}

/** Closes the desk, says so, leaves it, and then forgets what it showed: an open desk would ask for it anew. */
export function useAdminLogOut() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => call(adminSessionApi.logout, {}),
    onSuccess: async () => {
      toast({ title: 'Logged Out' })
      await navigate({ to: '/admin-login' })
      queries.removeQueries({ queryKey: ['admin'] })
    },
  })
}

/** Whether a second factor is asked for. */
export const secondFactor = queryOptions({
  queryKey: ['admin', 'second-factor'],
  queryFn: () => call(adminSessionApi.secondFactor, {}),
})

/** A new secret for the app. */
export const useBeginSecondFactor = () => useMutation({ mutationFn: () => call(adminSessionApi.beginSecondFactor, {}) })

/** Turns it on with a first code; the answer holds the recovery codes. */
export function useConfirmSecondFactor() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(adminSessionApi.confirmSecondFactor, { body: { code } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: secondFactor.queryKey }),
  })
}

/** Turns it off with a code. */
export function useEndSecondFactor() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(adminSessionApi.endSecondFactor, { body: { code } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: secondFactor.queryKey }),
  })
}
