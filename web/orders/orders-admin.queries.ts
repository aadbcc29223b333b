import { useMutation } from '@tanstack/react-query'
import { adminOrdersApi, type Fulfilment, type RefundRequest } from '../../worker/contract/orders'
import { adminQuery, useAdminMutation } from '../admin/admin.queries'
import { call } from '../api/call'

const KEYS = ['orders']

export const promotionCode = adminQuery(['orders', 'promotion-code'], adminOrdersApi.promotionCode)

export const parkedEvents = adminQuery(['orders', 'parked'], adminOrdersApi.parkedEvents)

/** The buyer's full address; each request is audited. */
export const useRevealBuyer = () => useMutation({ mutationFn: (id: string) => call(adminOrdersApi.reveal, { id }) })

export const useUpdateFulfilment = () =>
  useAdminMutation(
    ({ id, ...body }: { id: string; fulfilment: Fulfilment; carrier: string; tracking: string }) =>
      call(adminOrdersApi.updateFulfilment, { id, body }),
    KEYS,
  )

/** Marks orders as shipped; the result says which were not. */
export const useShipOrders = () =>
  useAdminMutation(
    (orders: readonly { id: string; carrier: string; tracking: string }[]) =>
      call(adminOrdersApi.ship, { body: { orders: [...orders] } }),
    KEYS,
    { refetchOn: 'settled' },
  )

export const useRefund = () =>
  useAdminMutation(({ id, ...body }: { id: string } & RefundRequest) => call(adminOrdersApi.refund, { id, body }), KEYS)

export const useDismissEvent = () =>
  useAdminMutation((id: string) => call(adminOrdersApi.dismissParkedEvent, { id }), KEYS)

/** Replaces the promotion code with the given one, or with a random one if empty. */
export const useRotatePromotionCode = () =>
  useAdminMutation(
    (code: string) => call(adminOrdersApi.rotatePromotionCode, { body: code === '' ? {} : { code } }),
    KEYS,
  )
