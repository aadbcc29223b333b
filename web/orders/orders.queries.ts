import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Order, ordersApi } from '../../worker/contract/orders'
import { call, callPage } from '../api/call'

const POLL_INTERVAL_MS = 1500
const MAX_POLLS = 40
/** A decline may be of the previous card, so a few more polls wait for the current card's result. */
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

/** Whether a payment may still arrive. An expired order may have been paid in time. */
export const isPaymentPending = ({ status, paidAt, message }: Order): boolean =>
  status === 'pending' || (status === 'expired' && paidAt === null && message === null)

/** While a payment is awaited, polls an order until it is settled or polls run out; `restartPolling` starts over. */
export function useOrderUntilSettled(id: string, secret: string, isPaymentAwaited: boolean) {
  const [pollCount, setPollCount] = useState(0)
  const shouldPoll = (order: Order | undefined): boolean => {
    if (!isPaymentAwaited || !order) return false
    if (order.status === 'failed') return pollCount < MAX_POLLS_AFTER_DECLINE
    return isPaymentPending(order) && pollCount < MAX_POLLS
  }
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
    isPolling: shouldPoll(query.data),
    restartPolling: () => {
      setPollCount(0)
      void query.refetch()
    },
  }
}
