import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Fulfilment } from '../../worker/contract/orders'
import { adminOrdersApi } from '../../worker/contract/orders'
import { call } from '../api/call'

/** Everything of the desk about orders begins with this. */
export const ADMIN_ORDERS_KEY = ['admin', 'orders'] as const

/** The code of the broadcast channel; null until a first one is made. */
export const promotionCode = queryOptions({
  queryKey: [...ADMIN_ORDERS_KEY, 'promotion-code'],
  queryFn: () => call(adminOrdersApi.promotionCode, {}),
  staleTime: 0,
})

/** Refunds that were refused, and events of the provider that fit no order. */
export const parkedEvents = queryOptions({
  queryKey: [...ADMIN_ORDERS_KEY, 'parked'],
  queryFn: () => call(adminOrdersApi.parkedEvents, {}),
  staleTime: 0,
})

/** Who an order goes to, in full; each look is written to the audit. */
export const useRevealBuyer = () => useMutation({ mutationFn: (id: string) => call(adminOrdersApi.reveal, { id }) })

function useOrderMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: ADMIN_ORDERS_KEY }) })
}

/** Says where the parcel is. */
export const useUpdateFulfilment = () =>
  useOrderMutation(({ id, ...body }: { id: string; fulfilment: Fulfilment; tracking: string }) =>
    call(adminOrdersApi.updateFulfilment, { id, body }),
  )

/** Sends the whole order's money back. */
export const useRefund = () =>
  useOrderMutation(({ id, reason }: { id: string; reason: string }) =>
    call(adminOrdersApi.refund, { id, body: { reason } }),
  )

/** Takes an event off the list of what is to be looked at. */
export const useDismissEvent = () => useOrderMutation((id: string) => call(adminOrdersApi.dismissParkedEvent, { id }))

/** Ends the code that is there and begins a new one: the given one, or one that is drawn. */
export const useRotatePromotionCode = () =>
  useOrderMutation((code: string) => call(adminOrdersApi.rotatePromotionCode, { body: code === '' ? {} : { code } }))
