import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type PaidTier, subscriptionsApi } from '../../worker/contract/subscriptions'
import { call } from '../api/call'
import { authStatus } from '../auth/auth.queries'
import { toast } from '../ui/toast'

/** The supporter's tier and subscription, as the provider's webhooks left them. */
export const subscriptionStatus = queryOptions({
  queryKey: ['account', 'subscription'],
  queryFn: () => call(subscriptionsApi.status, {}),
  staleTime: 0,
})

/** Leaves for the provider's page; a running subscription is changed at once instead. */
export function useSubscribeTo() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (tier: PaidTier) => call(subscriptionsApi.checkout, { body: { tier } }),
    onSuccess: ({ url }) => {
      if (url !== null) return location.assign(url)
      toast({ title: 'Tier changed', text: 'Your new tier opens within a minute.' })
      for (const { queryKey } of [subscriptionStatus, authStatus]) void queries.invalidateQueries({ queryKey })
    },
    onError: ({ message }) => toast({ title: 'Not subscribed', text: message, tone: 'destructive' }),
  })
}

/** Leaves for the provider's page of cards, invoices and cancelling. */
export const useBillingPortal = () =>
  useMutation({
    mutationFn: () => call(subscriptionsApi.portal, {}),
    onSuccess: ({ url }) => location.assign(url),
    onError: ({ message }) => toast({ title: 'Could not be opened', text: message, tone: 'destructive' }),
  })
