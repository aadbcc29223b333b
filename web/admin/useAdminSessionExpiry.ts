import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { AdminSession } from '../../worker/contract/admin-session'
import { ApiError } from '../api/call'
import { adminSession } from './admin-session.queries'
import { showSessionExpired } from './require-administrator'

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
