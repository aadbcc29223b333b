import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { redirect, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type * as z from 'zod/mini'
import { type AdminLogIn, type AdminSession, adminSessionApi } from '../../worker/contract/admin'
import { ApiError, call } from '../api/call'
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

/**
 * Lets an administrator through and sends everybody else to the log-in page. The server decides each time: there is no
 * flag in the browser to set by hand. On the server nobody is known, so nothing is asked and nothing shown.
 */
export async function requireAdministrator({ context }: { context: { queries: QueryClient } }): Promise<void> {
  if (typeof window === 'undefined') return
  try {
    await context.queries.fetchQuery(adminSession)
  } catch (error) {
    if (!(error instanceof ApiError) || ![401, 403].includes(error.status)) throw error
    context.queries.removeQueries({ queryKey: ['admin'] })
    showSessionExpired()
    throw redirect({ to: '/admin-login' })
  }
}

/** Specification section 4: what an administrator is told when the session is over or missing. */
export function showSessionExpired(): void {
  toast({ title: 'Session Expired', text: 'Please log in again', tone: 'destructive' })
}

/**
 * Closes an open desk when its 24 hours are over, and as soon as any of its calls says that the session is gone:
 * logged out in another window, revoked, banned. The hours are the server's, counted down from its last answer: the
 * device's own clock may be days off. A timer stands still while a device sleeps, so the server is asked anew when
 * somebody comes back to the window.
 */
export function useAdminSessionExpiry(session: AdminSession | undefined): void {
  const queries = useQueryClient()
  const navigate = useNavigate()

  useEffect(() => {
    let hasEnded = false
    const endSession = () => {
      if (hasEnded) return
      hasEnded = true
      queries.removeQueries({ queryKey: adminSession.queryKey })
      showSessionExpired()
      void navigate({ to: '/admin-login' })
    }
    const checkError = (error: unknown) => {
      if (error instanceof ApiError && error.status === 401 && SESSION_ENDED_CODES.has(error.code ?? '')) endSession()
      if (error instanceof ApiError && error.status === 403 && error.code === 'forbidden') endSession()
    }
    const unsubscribeQueries = queries.getQueryCache().subscribe(({ query, type }) => {
      if (type === 'updated' && query.queryKey[0] === 'admin') checkError(query.state.error)
    })
    const unsubscribeMutations = queries.getMutationCache().subscribe(({ mutation, type }) => {
      if (type === 'updated') checkError(mutation?.state.error)
    })
    const timer = session ? setTimeout(endSession, session.secondsLeft * 1000) : undefined
    const onVisibilityChange = () => {
      if (document.visibilityState === 'visible') void queries.refetchQueries({ queryKey: adminSession.queryKey })
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      unsubscribeQueries()
      unsubscribeMutations()
      clearTimeout(timer)
    }
  }, [session, queries, navigate])
}

/** A wrong code or password is 401 as well, and ends nothing. */
const SESSION_ENDED_CODES = new Set(['signed_out', 'session_expired'])
