import { queryOptions, useMutation } from '@tanstack/react-query'
import { adminOrdersApi, type Fulfilment, type RefundRequest } from '../../worker/contract/orders'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

const ORDER_QUERY_KEYS = ['orders']

export const broadcastCode = adminQuery(['orders', 'promotion-code'], adminOrdersApi.broadcastCode)

export const parkedEvents = adminQuery(['orders', 'parked'], adminOrdersApi.parkedEvents)

export const packingSlipsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['admin', 'packing-slips', ids],
    // Does not use `reveal`, which also returns the email.
    queryFn: () => call(adminOrdersApi.packingSlips, { body: { orders: [...ids] } }),
    // Each read is audited, so it is neither refetched nor retried.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

/** Reveals the buyer's email and shipping address; each request is audited. */
export const useRevealBuyer = () => useMutation({ mutationFn: (id: string) => call(adminOrdersApi.reveal, { id }) })

export const useUpdateFulfilment = () =>
  useAdminMutation(
    ({ id, ...body }: { id: string; fulfilment: Fulfilment; carrier: string; tracking: string }) =>
      call(adminOrdersApi.updateFulfilment, { id, body }),
    ORDER_QUERY_KEYS,
  )

/** Marks orders as shipped; the result has the error of each that was not. */
export const useShipOrders = () =>
  useAdminMutation(
    (orders: readonly { id: string; carrier: string; tracking: string }[]) =>
      call(adminOrdersApi.ship, { body: { orders: [...orders] } }),
    ORDER_QUERY_KEYS,
    { refetchOn: 'settled' },
  )

export const useRefund = () =>
  useAdminMutation(
    ({ id, ...body }: { id: string } & RefundRequest) => call(adminOrdersApi.refund, { id, body }),
    ORDER_QUERY_KEYS,
  )

export const useDismissEvent = () =>
  useAdminMutation((id: string) => call(adminOrdersApi.dismissParkedEvent, { id }), ORDER_QUERY_KEYS)

/** Replaces the broadcast code with the given one, or with a random one if empty. Returns the new code. */
export const useRotateBroadcastCode = () =>
  useAdminMutation(
    (code: string) => call(adminOrdersApi.rotateBroadcastCode, { body: code === '' ? {} : { code } }),
    ORDER_QUERY_KEYS,
  )
