import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { PaidTier, SubscriptionStatus } from '../../worker/contract/subscriptions'
import { authStatus } from '../auth/auth.queries'
import { toast } from '../ui/toast'
import { subscriptionStatus } from './subscriptions.queries'

const EVERY_MS = 2000
const TRIES = 30

/**
 * Somebody comes back from the provider's page and says to have subscribed. The server is asked until it says so, too;
 * only then is there a welcome. `asking` while it is being asked, `late` once that took too long; `askAgain` begins anew.
 */
export function useArrival(
  subscribed: PaidTier | undefined,
  status: SubscriptionStatus | null | undefined,
): { arrival: 'asking' | 'late' | null; askAgain: () => void } {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [tries, setTries] = useState(0)
  const has = subscribed !== undefined && status?.tier === subscribed
  const waits = Boolean(status) && subscribed !== undefined && !has && tries < TRIES

  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => {
      setTries(tries + 1)
      void queries.invalidateQueries({ queryKey: subscriptionStatus.queryKey })
    }, EVERY_MS)
    return () => clearTimeout(timer)
  }, [waits, tries, queries])

  useEffect(() => {
    if (!has) return
    toast({ title: 'Welcome aboard', text: 'Your tier is open. Thank you.' })
    void queries.invalidateQueries({ queryKey: authStatus.queryKey })
    void navigate({ to: '/subscribe', search: {}, replace: true })
  }, [has, queries, navigate])

  const isLate = Boolean(status) && subscribed !== undefined && !has && !waits
  return { arrival: waits ? 'asking' : isLate ? 'late' : null, askAgain: () => setTries(0) }
}
