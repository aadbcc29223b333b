import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api/call'
import { toast } from '../ui/toast'
import { adminSession } from './admin-session.queries'

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
