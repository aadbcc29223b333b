import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { authStatus } from './auth.queries'

/** Lets whoever is logged in through and sends everybody else to log in, and back. On the server nobody is known. */
export async function requireSupporter({
  context,
  location,
}: {
  context: { queries: QueryClient }
  location: { href: string }
}): Promise<void> {
  if (typeof window === 'undefined') return
  const me = await context.queries.ensureQueryData(authStatus)
  if (!me) throw redirect({ to: '/login', search: { return: location.href } })
}
