import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Fulfilment } from '../../worker/contract/orders'
import { adminOrdersApi } from '../../worker/contract/orders'
import { call } from '../api/call'

export const ADMIN_ORDERS_KEY = ['admin', 'orders'] as const

export const promotionCode = queryOptions({
  queryKey: [...ADMIN_ORDERS_KEY, 'promotion-code'],
  queryFn: () => call(adminOrdersApi.promotionCode, {}),
  staleTime: 0,
})

export const parkedEvents = queryOptions({
  queryKey: [...ADMIN_ORDERS_KEY, 'parked'],
  queryFn: () => call(adminOrdersApi.parkedEvents, {}),
  staleTime: 0,
})

/** The buyer's full address; each request is audited. */
export const useRevealBuyer = () => useMutation({ mutationFn: (id: string) => call(adminOrdersApi.reveal, { id }) })

function useOrderMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => queries.invalidateQueries({ queryKey: ADMIN_ORDERS_KEY }) })
}

export const useUpdateFulfilment = () =>
  useOrderMutation(({ id, ...body }: { id: string; fulfilment: Fulfilment; tracking: string }) =>
    call(adminOrdersApi.updateFulfilment, { id, body }),
  )

export const useRefund = () =>
  useOrderMutation(({ id, reason }: { id: string; reason: string }) =>
    call(adminOrdersApi.refund, { id, body: { reason } }),
  )

export const useDismissEvent = () => useOrderMutation((id: string) => call(adminOrdersApi.dismissParkedEvent, { id }))

/** Replaces the code by the given one, or by a random one if empty. */
export const useRotatePromotionCode = () =>
  useOrderMutation((code: string) => call(adminOrdersApi.rotatePromotionCode, { body: code === '' ? {} : { code } }))
