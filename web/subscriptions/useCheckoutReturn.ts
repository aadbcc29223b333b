import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { PaidTier, SubscriptionStatus } from '../../worker/contract/subscriptions'
import { authStatus } from '../auth/auth.queries'
import { toast } from '../ui/toast'
import { subscriptionStatus } from './subscriptions.queries'

const POLL_INTERVAL_MS = 2000
const MAX_TRIES = 30

/**
 * Somebody comes back from the provider's page and says to have subscribed. The server is asked until it says so, too;
 * only then is there a welcome. `asking` while it is being asked, `late` once that took too long; `askAgain` begins anew.
 */
export function useCheckoutReturn(
  subscribed: PaidTier | undefined,
  status: SubscriptionStatus | null | undefined,
): { arrival: 'asking' | 'late' | null; askAgain: () => void } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [tries, setTries] = useState(0)
  const isSubscribed = subscribed !== undefined && status?.tier === subscribed
  const isPolling = Boolean(status) && subscribed !== undefined && !isSubscribed && tries < MAX_TRIES

  useEffect(() => {
    if (!isPolling) return
    const timer = setTimeout(() => {
      setTries(tries + 1)
      void queries.invalidateQueries({ queryKey: subscriptionStatus.queryKey })
    }, POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [isPolling, tries, queries])

  useEffect(() => {
    if (!isSubscribed) return
    toast({ title: 'Welcome aboard', text: 'Your tier is open. Thank you.' })
    void queries.invalidateQueries({ queryKey: authStatus.queryKey })
    void navigate({ to: '/subscribe', search: {}, replace: true })
  }, [isSubscribed, queries, navigate])

  const isLate = Boolean(status) && subscribed !== undefined && !isSubscribed && !isPolling
  return { arrival: isPolling ? 'asking' : isLate ? 'late' : null, askAgain: () => setTries(0) }
}
