import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { notFound, redirect, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { type AdminSession, adminSessionApi } from '../../worker/contract/admin'
import { pathOfFormerTab } from '../../worker/contract/admin-screens'
import type { LogIn } from '../../worker/contract/credentials'
import { findPage } from '../../worker/contract/pages'
import { passkeysApi } from '../../worker/contract/passkeys'
import { call, hasCode, hasStatus } from '../api/call'
import { requestPasskey } from '../auth/passkeys.queries'
import { toast, toastError } from '../ui/toast'
import { removeAllFormDrafts, setFormDraftUser } from './form-drafts'

/** Fails with 401 or 403 without an admin session. Also removes the form drafts of other admins. */
export const adminSessionQuery = queryOptions({
  queryKey: ['admin', 'session'],
  queryFn: async () => {
    const session = await call(adminSessionApi.session, {})
    setFormDraftUser(session.userId)
    return session
  },
  // The server checks the session on every request anyway.
  staleTime: 30_000,
})

function storeSession(queryClient: QueryClient, session: AdminSession): void {
  setFormDraftUser(session.userId)
  queryClient.setQueryData(adminSessionQuery.queryKey, session)
}

/** Id of the logged-in admin, whose session the route guard has loaded; 0 without one. */
export function useAdminUserId(): number {
  const queryClient = useQueryClient()
  // Read once, because an expired session is removed before the login page opens.
  const [userId] = useState(() => queryClient.getQueryData(adminSessionQuery.queryKey)?.userId ?? 0)
  return userId
}

export function useAdminLogIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof LogIn>) => call(adminSessionApi.login, { body }),
    onSuccess: (session) => storeSession(queryClient, session),
  })
}

export function useAdminPasskeyLogIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async () => call(passkeysApi.adminLogin, { body: { passkey: await requestPasskey() } }),
    onSuccess: (session) => storeSession(queryClient, session),
  })
}

/** Logs in with the Google sign-in that this browser has just completed. */
export function useAdminGoogleLogIn() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { code?: string }) => call(adminSessionApi.google, { body }),
    onSuccess: (session) => storeSession(queryClient, session),
  })
}

/**
 * Leaves the dashboard before logging out, so that a loading screen sends no request without a session. Returns to the
 * open page if the logout fails.
 */
export function useAdminLogOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()
  return useMutation({
    onMutate: () => ({ href: router.state.location.href }),
    mutationFn: async () => {
      await navigate({ to: '/admin-login' })
      // A pending request would fail with 401, which reports an expired session.
      await queryClient.cancelQueries({ queryKey: ['admin'] })
      return call(adminSessionApi.logout, {})
    },
    onError: (error, _, leftPage) => {
      toastError('Not logged out')(error)
      if (leftPage) void navigate({ href: leftPage.href })
    },
    onSuccess: () => {
      removeAllFormDrafts()
      queryClient.removeQueries({ queryKey: ['admin'] })
      toast({ title: 'Logged Out' })
    },
  })
}

export const secondFactorQuery = queryOptions({
  queryKey: ['admin', 'second-factor'],
  queryFn: () => call(adminSessionApi.secondFactor, {}),
})

export const useEnrollSecondFactor = () =>
  useMutation({ mutationFn: () => call(adminSessionApi.enrollSecondFactor, {}) })

/** Enables the second factor; returns the recovery codes. */
export function useConfirmSecondFactor() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(adminSessionApi.confirmSecondFactor, { body: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
}

export function useDisableSecondFactor() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => call(adminSessionApi.disableSecondFactor, { body: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
  })
}

/**
 * Route guard: shows the 404 page for an unknown path and the login page without an admin session, and redirects former
 * `?tab=` URLs. Does nothing during SSR.
 */
export async function requireAdministrator({
  context,
  location,
}: {
  context: { queryClient: QueryClient }
  location: { href: string; pathname: string; search: object }
}): Promise<void> {
  if (typeof window === 'undefined') return
  if (!findPage(location.pathname)) throw notFound()
  const { tab } = location.search as { tab?: string }
  if (location.pathname === '/admin' && tab !== undefined)
    throw redirect({ href: pathOfFormerTab(tab) ?? '/admin', replace: true })
  try {
    await context.queryClient.fetchQuery(adminSessionQuery)
  } catch (error) {
    if (!hasStatus(error, 401, 403)) throw error
    context.queryClient.removeQueries({ queryKey: ['admin'] })
    showSessionExpired()
    throw redirect({ href: loginHref(location.href) })
  }
}

/** The login page, which returns to `page`. */
const loginHref = (page: string) =>
  page === '/admin' ? '/admin-login' : `/admin-login?return=${encodeURIComponent(page)}`

function showSessionExpired(): void {
  toast({ title: 'Session Expired', text: 'Please log in again', tone: 'destructive' })
}

/**
 * Opens the login page when the session expires or a request finds that it has ended. Uses the remaining time that the
 * server sent, because device clocks may be wrong, and reads the session again when the page becomes visible.
 */
export function useAdminSessionExpiry(session: AdminSession | undefined): void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const router = useRouter()

  useEffect(() => {
    let hasEnded = false
    const endSession = () => {
      if (hasEnded) return
      hasEnded = true
      queryClient.removeQueries({ queryKey: adminSessionQuery.queryKey })
      showSessionExpired()
      void navigate({ href: loginHref(router.state.location.href) })
    }
    // A wrong password or code is a 401 too, but does not end the session.
    const checkError = (error: unknown) => {
      if (hasCode(error, 'signed_out', 'session_expired', 'forbidden')) endSession()
    }
    const unsubscribeQueries = queryClient.getQueryCache().subscribe(({ query, type }) => {
      if (type === 'updated' && query.queryKey[0] === 'admin') checkError(query.state.error)
    })
    const unsubscribeMutations = queryClient.getMutationCache().subscribe(({ mutation, type }) => {
      if (type === 'updated') checkError(mutation?.state.error)
    })
    const timer = session ? setTimeout(endSession, session.secondsLeft * 1000) : undefined
    const onVisibilityChange = () => {
      if (document.visibilityState === 'visible')
        void queryClient.refetchQueries({ queryKey: adminSessionQuery.queryKey })
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      unsubscribeQueries()
      unsubscribeMutations()
      clearTimeout(timer)
    }
  }, [session, queryClient, navigate, router])
}
