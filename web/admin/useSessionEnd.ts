import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { AdminSession } from '../../worker/contract/admin-session'
import { ApiError } from '../api/call'
import { adminSession } from './admin-session.queries'
import { sessionExpired } from './guard'

/**
 * Closes an open desk when its 24 hours are over, and as soon as any of its calls says that the session is gone:
 * logged out in another window, revoked, banned. The hours are the server's, counted down from its last answer: the
 * device's own clock may be days off. A timer stands still while a device sleeps, so the server is asked anew when
 * somebody comes back to the window.
 */
export function useSessionEnd(session: AdminSession | undefined): void {
  const queries = useQueryClient()
  const navigate = useNavigate()

  useEffect(() => {
    let over = false
    const end = () => {
      if (over) return
      over = true
      queries.removeQueries({ queryKey: adminSession.queryKey })
      sessionExpired()
      void navigate({ to: '/admin-login' })
    }
    const look = (error: unknown) => {
      if (error instanceof ApiError && error.status === 401 && ENDED.has(error.code ?? '')) end()
      if (error instanceof ApiError && error.status === 403 && error.code === 'forbidden') end()
    }
    const unwatchReads = queries.getQueryCache().subscribe(({ query, type }) => {
      if (type === 'updated' && query.queryKey[0] === 'admin') look(query.state.error)
    })
    const unwatchWrites = queries.getMutationCache().subscribe(({ mutation, type }) => {
      if (type === 'updated') look(mutation?.state.error)
    })
    const timer = session ? setTimeout(end, session.secondsLeft * 1000) : undefined
    const comeBack = () => {
      if (document.visibilityState === 'visible') void queries.refetchQueries({ queryKey: adminSession.queryKey })
    }
    document.addEventListener('visibilitychange', comeBack)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      unwatchReads()
      unwatchWrites()
      clearTimeout(timer)
    }
  }, [session, queries, navigate])
}

/** A wrong code or password is 401 as well, and ends nothing. */
const ENDED = new Set(['signed_out', 'session_expired'])
