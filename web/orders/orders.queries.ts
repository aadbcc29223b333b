import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Order, ordersApi } from '../../worker/contract/orders'
import { call } from '../api/call'
import { callPage } from '../api/call-page'

/** How often and how many times the server is asked for its word before the buyer is told that it takes long. */
const EVERY_MS = 1500
const TRIES = 40
/** A decline may be that of the card before: the word on this one follows at once. */
const TRIES_AFTER_A_DECLINE = 8

/** One order by its secret. */
export const orderAt = (id: string, secret: string) =>
  queryOptions({
    queryKey: ['order', id, secret],
    queryFn: () => call(ordersApi.order, { id }, { search: `?client_secret=${encodeURIComponent(secret)}` }),
    // The truth moves while nobody looks: a parcel is sent, a payment goes back.
    staleTime: 0,
  })

/** What the supporter has bought, newest first, page by page. */
export const ownOrders = infiniteQueryOptions({
  queryKey: ['account', 'orders'],
  queryFn: ({ pageParam }) => callPage(ordersApi.own, {}, pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next,
  staleTime: 0,
})

/** No word has come of its payment. Its time may have ended since: a payment that was in time is told of later. */
export const isUndecided = ({ status, paidAt, message }: Order): boolean =>
  status === 'pending' || (status === 'expired' && paidAt === null && message === null)

/**
 * One order; while `awaited`, asked for again until it is paid or over. `isWaiting` says that it still is; once it is
 * not, `askAgain` begins to wait anew.
 */
export function useOrderUntilSettled(id: string, secret: string, awaited: boolean) {
  const [tries, setTries] = useState(0)
  const waits = (order: Order | undefined) =>
    awaited &&
    order !== undefined &&
    ((isUndecided(order) && tries < TRIES) || (order.status === 'failed' && tries < TRIES_AFTER_A_DECLINE))
  const query = useQuery({
    ...orderAt(id, secret),
    enabled: secret !== '',
    refetchInterval: ({ state }) => (waits(state.data) ? EVERY_MS : false),
  })
  const answeredAt = Math.max(query.dataUpdatedAt, query.errorUpdatedAt)
  useEffect(() => {
    if (answeredAt > 0) setTries((count) => count + 1)
  }, [answeredAt])
  return {
    ...query,
    isWaiting: waits(query.data),
    askAgain: () => {
      setTries(0)
      void query.refetch()
    },
  }
}
