import { queryOptions } from '@tanstack/react-query'
import { type Product, shopApi } from '../../worker/contract/shop'
import { call } from '../api/call'

/**
 * The payment that the server prepares for an order. It is a read in the cache although it is a POST: one order has
 * one intent, however often the screen is drawn. `amount` is dollars, compared by the server, never trusted.
 */
export const paymentIntent = ({ id, priceCents }: Product, quantity: number) =>
  queryOptions({
    queryKey: ['payment-intent', id, quantity, priceCents],
    queryFn: () =>
      call(shopApi.createPaymentIntent, { body: { amount: (priceCents * quantity) / 100, productId: id, quantity } }),
  })
