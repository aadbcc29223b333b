import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { checkoutApi, type IntentRequest, type PaymentIntent, PREPARE_TIMEOUT_MS } from '../../worker/contract/checkout'
import type { Product } from '../../worker/contract/products'
import { call, hasCode } from '../api/call'
import { checkoutKey } from './checkout-key'

export type OrderChange = Pick<IntentRequest, 'quantity' | 'promotionCode' | 'email' | 'shippingAddress'>

export const isAlreadyPaid = (error: unknown) => hasCode(error, 'order_paid', 'payment_under_way')

/** The order has expired or is unknown: start a new one. */
export const isOrderClosed = (error: unknown) => hasCode(error, 'closed', 'not_found')

/** A query although it sends a POST, so that re-renders share one order and payment. */
const preparedOrder = (product: Product, quantity: number) =>
  queryOptions({
    queryKey: ['prepared-order', product.id, product.priceCents],
    queryFn: () => prepareOrder(product, { quantity }),
  })

/** `amount` is dollars before discounts; the server only compares it. */
function prepareOrder(product: Product, { quantity = 1, ...change }: OrderChange, order?: PaymentIntent) {
  const body = {
    amount: (product.priceCents * quantity) / 100,
    productId: product.id,
    quantity,
    checkoutKey: checkoutKey(product.id),
    ...(order && { orderId: order.orderId, clientSecret: order.clientSecret }),
    ...change,
  }
  // Longer than the server waits for the provider, retries included.
  return call(checkoutApi.createPaymentIntent, { body }, { timeoutMs: PREPARE_TIMEOUT_MS })
}

/** The prepared order, and a mutation that replaces it in the cache. */
export function usePreparedOrder(product: Product, quantity: number) {
  const queries = useQueryClient()
  const options = preparedOrder(product, quantity)
  const query = useQuery(options)
  const change = useMutation({
    mutationFn: (changed: OrderChange) => {
      const order = queries.getQueryData(options.queryKey)
      return prepareOrder(product, { quantity: order?.quantity, ...changed }, order)
    },
    onSuccess: (order) => queries.setQueryData(options.queryKey, order),
  })
  return { ...query, change }
}
