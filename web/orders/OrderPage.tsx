import { tabStorage } from '../lib/storage'
import '../styles/utilities.css'
import '../styles/checkout.css'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { hasStatus } from '../api/call'
import { saveBuyerDraft } from '../checkout/buyer-draft'
import { Spinner } from '../checkout/CheckoutMessages'
import { clearCheckoutKeys } from '../checkout/checkout-key'
import { myDownloads } from '../downloads/downloads.queries'
import { OrderDownloads } from '../downloads/OrderDownloads'
import { Footer } from '../layout/Footer'
import { allProducts } from '../products/products.queries'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { removeOrderFromCart } from './cart-order'
import { OrderStatus } from './OrderStatus'
import { myOrders, useOrderUntilSettled } from './orders.queries'
import { Receipt } from './Receipt'

/** /orders/{id}, opened with the secret in its link. `purchase=success` starts polling, but proves no payment. */
export function OrderPage() {
  const { id } = useParams({ from: '/orders/$id' })
  const { client_secret, token, purchase } = useSearch({ from: '/orders/$id' })
  const urlSecret = client_secret ?? token
  const [secret] = useState(() => urlSecret ?? readReceiptSecret(id))
  const [isPaymentAwaited] = useState(purchase === 'success')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const query = useOrderUntilSettled(id, secret, isPaymentAwaited)
  const { data: order, error, isFetching, refetch, isPolling, restartPolling } = query
  const status = order?.status
  const isMissing = secret === '' || hasStatus(error, 404)

  useEffect(() => {
    if (urlSecret !== undefined && saveReceiptSecret(id, urlSecret))
      void navigate({ to: '/orders/$id', params: { id }, search: {}, replace: true })
  }, [urlSecret, id, navigate])

  // After the payment, stock has changed and the next checkout starts a new order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the order is paid.
  useEffect(() => {
    if (!isPaymentAwaited || status !== 'paid') return
    toast({ title: 'Purchase Successful', text: 'Thank you. Your receipt is on this page.' })
    queryClient.removeQueries({ queryKey: ['prepared-order'] })
    clearCheckoutKeys()
    saveBuyerDraft(null)
    if (order) void removeOrderFromCart(order)
    for (const { queryKey } of [allProducts, myOrders, myDownloads]) void queryClient.invalidateQueries({ queryKey })
  }, [isPaymentAwaited, status, queryClient])

  return (
    <>
      <main id="content" tabIndex={-1} className="page-grid pt-10 pb-20 outline-none md:pt-16">
        {order && (
          <>
            <div className="col-span-full mb-10 lg:col-span-6 lg:mb-0">
              <OrderStatus
                order={order}
                secret={secret}
                isPolling={isPolling}
                isPaymentAwaited={isPaymentAwaited}
                onRetry={restartPolling}
              />
              {order.status === 'paid' && <OrderDownloads order={order} secret={secret} />}
            </div>
            <div className="col-span-full lg:col-span-5 lg:col-start-8">
              <Receipt order={order} />
            </div>
          </>
        )}
        {!order && isMissing && <ReceiptNotFound />}
        {!order && !isMissing && error && (
          <div className="col-span-full">
            <h1 className="order-title mb-8 font-display">Your order</h1>
            <LoadError onRetry={() => void refetch()} retrying={isFetching}>
              The order could not be loaded.
            </LoadError>
          </div>
        )}
        {!order && !isMissing && !error && (
          <>
            <div className="col-span-full mb-10 lg:col-span-6 lg:mb-0">
              <h1 className="order-title mb-8 font-display">Your order</h1>
              <Spinner>{isPaymentAwaited ? 'Confirming your payment' : 'Loading the order'}</Spinner>
            </div>
            <Skeleton className="col-span-full h-[34rem] lg:col-span-5 lg:col-start-8" />
          </>
        )}
      </main>
      <Footer />
    </>
  )
}

function ReceiptNotFound() {
  return (
    <div className="col-span-full max-w-2xl">
      <h1 className="order-title font-display">No receipt here</h1>
      <p className="mt-8 max-w-prose border-l-4 border-sunset bg-sleeve p-6 text-lg">
        To open a receipt, use the complete link from the email we sent you. If you have an account, your orders are
        also on your account page.
      </p>
    </div>
  )
}

const storageKey = (orderId: string) => `receipt of ${orderId}`

/** The secret stored in this tab; empty if there is none. */
const readReceiptSecret = (orderId: string) => tabStorage.read(storageKey(orderId)) ?? ''

/**
 * Stores the secret in this tab, so that it can be removed from the URL and the browser's history.
 * @returns false if storage is unavailable; then the secret must stay in the URL.
 */
const saveReceiptSecret = (orderId: string, secret: string) => tabStorage.write(storageKey(orderId), secret)
