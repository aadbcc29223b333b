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
 * only then is there a welcome. True while it is being asked.
 */
export function useArrival(subscribed: PaidTier | undefined, status: SubscriptionStatus | null | undefined): boolean {
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

  return waits
}
