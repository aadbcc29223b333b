import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Order, ordersApi } from '../../worker/contract/orders'
import { call, callPage } from '../api/call'

/** How often and how many times the server is asked for its word before the buyer is told that it takes long. */
const POLL_INTERVAL_MS = 1500
const MAX_POLLS = 40
/** A decline may be that of the card before: the word on this one follows at once. */
const MAX_POLLS_AFTER_DECLINE = 8

/** One order by its secret. */
export const orderBySecret = (id: string, secret: string) =>
  queryOptions({
    queryKey: ['order', id, secret],
    queryFn: () => call(ordersApi.order, { id }, { search: `?client_secret=${encodeURIComponent(secret)}` }),
    // The truth moves while nobody looks: a parcel is sent, a payment goes back.
    staleTime: 0,
  })

/** What the supporter has bought, newest first, page by page. */
export const myOrders = infiniteQueryOptions({
  queryKey: ['account', 'orders'],
  queryFn: ({ pageParam }) => callPage(ordersApi.myOrders, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})

/** No word has come of its payment. Its time may have ended since: a payment that was in time is told of later. */
export const isPaymentPending = ({ status, paidAt, message }: Order): boolean =>
  status === 'pending' || (status === 'expired' && paidAt === null && message === null)

/**
 * One order; while `awaited`, asked for again until it is paid or over. `isWaiting` says that it still is; once it is
 * not, `askAgain` begins to wait anew.
 */
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
