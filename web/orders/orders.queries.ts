import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Order, ordersApi } from '../../worker/contract/orders'
import { call, callPage } from '../api/call'

const POLL_INTERVAL_MS = 1500
const MAX_POLLS = 40
/** The decline may be of a previous card: a few more polls wait for the result of the current one. */
const MAX_POLLS_AFTER_DECLINE = 8

export const orderBySecret = (id: string, secret: string) =>
  queryOptions({
    queryKey: ['order', id, secret],
    queryFn: () => call(ordersApi.order, { id }, { search: `?client_secret=${encodeURIComponent(secret)}` }),
    staleTime: 0,
  })

export const myOrders = infiniteQueryOptions({
  queryKey: ['account', 'orders'],
  queryFn: ({ pageParam }) => callPage(ordersApi.myOrders, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
  staleTime: 0,
})

/** Whether a payment may still arrive; also for an expired order, if it was made in time. */
export const isPaymentPending = ({ status, paidAt, message }: Order): boolean =>
  status === 'pending' || (status === 'expired' && paidAt === null && message === null)

/** While a payment is awaited, polls an order until it is settled or polls run out; `restartPolling` starts over. */
export function useOrderUntilSettled(id: string, secret: string, isPaymentAwaited: boolean) {
  const [pollCount, setPollCount] = useState(0)
  const shouldPoll = (order: Order | undefined) =>
    isPaymentAwaited &&
    order !== undefined &&
    ((isPaymentPending(order) && pollCount < MAX_POLLS) ||
      (order.status === 'failed' && pollCount < MAX_POLLS_AFTER_DECLINE))
  const query = useQuery({
    ...orderBySecret(id, secret),
    enabled: secret !== '',
    refetchInterval: ({ state }) => (shouldPoll(state.data) ? POLL_INTERVAL_MS : false),
  })
  const updatedAt = Math.max(query.dataUpdatedAt, query.errorUpdatedAt)
  useEffect(() => {
    if (updatedAt > 0) setPollCount((count) => count + 1)
  }, [updatedAt])
  return {
    ...query,
    isWaiting: shouldPoll(query.data),
    restartPolling: () => {
      setPollCount(0)
      void query.refetch()
    },
  }
}
