import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type PaymentIntent,
  type PaymentRequest,
  PREPARE_TIMEOUT_MS,
  type Product,
  productsApi,
} from '../../worker/contract/products'
import { ApiError, call } from '../api/call'
import { checkoutKey } from './checkout-key'

/** What a buyer can change about an order before it is paid. */
export type OrderChange = Pick<PaymentRequest, 'quantity' | 'promotionCode' | 'email' | 'shippingAddress'>

/** The order that a refusal speaks of is paid, or being paid: its receipt knows more. Other conflicts say what they are. */
export const isAlreadyPaid = (error: unknown) =>
  error instanceof ApiError && (error.code === 'order_paid' || error.code === 'payment_under_way')

/** The order that a refusal speaks of has run out or is unknown: another one is to be begun. */
export const isOrderClosed = (error: unknown) =>
  error instanceof ApiError && (error.code === 'closed' || error.code === 'not_found')

/**
 * The order that the server prepares, with its payment. It is a read in the cache although it is a POST: one order has
 * one payment, however often the screen is drawn.
 */
export const preparedOrder = (product: Product, quantity: number) =>
  queryOptions({
    queryKey: ['prepared-order', product.id, product.priceCents],
    queryFn: () => prepareOrder(product, { quantity }),
  })

/** `amount` is dollars before any promotion: compared by the server, never trusted. */
function prepareOrder(product: Product, { quantity = 1, ...change }: OrderChange, order?: PaymentIntent) {
  const body = {
    amount: (product.priceCents * quantity) / 100,
    productId: product.id,
    quantity,
    checkoutKey: checkoutKey(product.id),
    ...(order && { orderId: order.orderId, clientSecret: order.clientSecret }),
    ...change,
  }
  // Longer than the server waits for the provider, tries and all: a spinner never turns for ever.
  return call(productsApi.createPaymentIntent, { body }, { patienceMs: PREPARE_TIMEOUT_MS })
}

/** The order for a product, and how it is changed. The answer to a change is the order from then on. */
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
