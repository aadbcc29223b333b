import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { checkoutApi, type IntentRequest, type PaymentIntent, PREPARE_TIMEOUT_MS } from '../../worker/contract/checkout'
import { call, errorMessage, hasCode } from '../api/call'
import { getCart, setPromotionCode } from '../cart/cart-store'
import { getOrCreateCheckoutKey } from './checkout-key'
import { type CheckoutSource, checkoutKeyName, sourceRequest, sourceTotalCents } from './checkout-source'

export type OrderChange = Pick<
  IntentRequest,
  'discountCode' | 'email' | 'shippingAddress' | 'taxLocation' | 'shippingMethodId'
>

export const isPaidOrBeingPaid = (error: unknown) => hasCode(error, 'order_paid', 'payment_under_way')

/** Whether the order has expired or is unknown, so that the buyer needs a new one. */
export const isOrderClosed = (error: unknown) => hasCode(error, 'closed', 'not_found')

/** A query, although it sends a POST, so that re-renders share one order. */
const preparedOrder = (source: CheckoutSource) =>
  queryOptions({
    queryKey: ['prepared-order', checkoutKeyName(source), source.kind === 'cart' ? null : priceKey(source)],
    queryFn: async () => {
      const discountCode = source.kind === 'cart' ? getCart().code : ''
      if (discountCode === '') return prepareOrder(source, {})
      return prepareOrder(source, { discountCode }).catch(async (error) => {
        if (!hasCode(error, 'unknown_code', 'discount_rejected')) throw error
        // The cart's code no longer applies: create the order without it, with a notice.
        return { ...(await prepareOrder(source, { discountCode: '' })), discountNotice: errorMessage(error) }
      })
    },
  })

/** Part of the query key: another variant or price needs a new order, another quantity updates the order. */
const priceKey = (source: CheckoutSource & { kind: 'product' }) =>
  `${source.variant.id} ${sourceTotalCents(source) / source.quantity}`

/** Creates the order for `source`, or updates `order`. */
function prepareOrder(source: CheckoutSource, change: OrderChange, order?: PaymentIntent) {
  const body = {
    ...sourceRequest(source),
    checkoutKey: getOrCreateCheckoutKey(checkoutKeyName(source)),
    ...(order && { orderId: order.orderId, clientSecret: order.clientSecret }),
    ...change,
  }
  // The timeout is longer than the server waits for the provider, including retries.
  return call(checkoutApi.createPaymentIntent, { body }, { timeoutMs: PREPARE_TIMEOUT_MS })
}

/** The prepared order, and `change`, a mutation that updates it on the server and in the cache. */
export function usePreparedOrder(source: CheckoutSource) {
  const queryClient = useQueryClient()
  const options = preparedOrder(source)
  const query = useQuery(options)
  const change = useMutation({
    mutationFn: (orderChange: OrderChange) =>
      prepareOrder(source, orderChange, queryClient.getQueryData(options.queryKey)),
    onSuccess: (order, { discountCode }) => {
      queryClient.setQueryData(options.queryKey, order)
      if (source.kind === 'cart' && discountCode !== undefined) setPromotionCode(discountCode)
    },
  })
  return { ...query, change }
}
