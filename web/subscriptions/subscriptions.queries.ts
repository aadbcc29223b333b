import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type PaidTier, subscriptionsApi } from '../../worker/contract/subscriptions'
import { call } from '../api/call'
import { sessionQuery } from '../auth/auth.queries'
import { toast, toastError } from '../ui/toast'

/** The supporter's tier and subscription according to the provider's webhooks. */
export const subscriptionStatus = queryOptions({
  queryKey: ['account', 'subscription'],
  queryFn: () => call(subscriptionsApi.status, {}),
  staleTime: 0,
})

/** Opens the provider's checkout; an existing subscription changes its tier without checkout. */
export function useSubscribeToTier() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (tier: PaidTier) => call(subscriptionsApi.checkout, { body: { tier } }),
    onSuccess: ({ url }) => {
      if (url !== null) return location.assign(url)
      toast({ title: 'Tier changed', text: 'Your new tier opens within a minute.' })
      for (const { queryKey } of [subscriptionStatus, sessionQuery]) void queryClient.invalidateQueries({ queryKey })
    },
    onError: toastError('Nothing was changed'),
  })
}

/** Opens the provider's page for cards, invoices and cancellation. */
export const useBillingPortal = () =>
  useMutation({
    mutationFn: () => call(subscriptionsApi.portal, {}),
    onSuccess: ({ url }) => location.assign(url),
    onError: toastError('The billing page did not open'),
  })
