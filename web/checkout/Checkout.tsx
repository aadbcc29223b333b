import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Product } from '../../worker/contract/products'
import type { SiteConfig } from '../../worker/contract/site'
import { ApiError, errorMessage } from '../api/call'
import { SectionLink } from '../layout/sections'
import { formatPrice } from '../lib/format'
import { allProducts } from '../products/products.queries'
import { Button, buttonClass } from '../ui/Button'
import { CheckoutForm } from './CheckoutForm'
import { CheckoutError, Spinner } from './CheckoutMessages'
import { OrderSummary, PromotionCode } from './OrderSummary'
import { usePreparedOrder } from './order.queries'
import { MAX_QUANTITY } from './search'

type Props = { site: SiteConfig; product: Product; requestedQuantity: number }

export function Checkout({ site, product, requestedQuantity }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const quantity = Math.min(requestedQuantity, MAX_QUANTITY)
  const [quantityNotice, setQuantityNotice] = useState<string | null>(null)
  const { data: order, error, isFetching, refetch, change } = usePreparedOrder(product, quantity)
  const { mutate, isPending: isChanging } = change
  const shownQuantity = order?.quantity ?? quantity
  // The product's stock excludes what this buyer's order reserves; `available` includes it.
  const maxQuantity = Math.min(MAX_QUANTITY, order?.available ?? Math.max(quantity, product.stock))

  // The URL holds the quantity; the order follows it.
  useEffect(() => {
    if (!order || order.quantity === quantity || isChanging) return
    mutate(
      { quantity },
      {
        onSuccess: () => setQuantityNotice(null),
        onError: (changeError) => {
          setQuantityNotice(errorMessage(changeError))
          void navigate({ to: '/checkout', search: { product: product.id, quantity: order.quantity }, replace: true })
        },
      },
    )
  }, [order, quantity, isChanging, mutate, navigate, product.id])

  const remaining = order ? null : remainingStock(error)
  useEffect(() => {
    if (remaining === null || remaining >= quantity) return
    setQuantityNotice(`Only ${remaining} of these ${remaining === 1 ? 'is' : 'are'} left.`)
    void navigate({ to: '/checkout', search: { product: product.id, quantity: remaining }, replace: true })
  }, [remaining, quantity, navigate, product.id])

  // After an error there is no order to change, so another quantity starts a new one.
  const hasFailed = order === undefined && error !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the quantity changes.
  useEffect(() => {
    if (hasFailed) void refetch()
  }, [quantity])

  async function retry() {
    await queries.refetchQueries({ queryKey: allProducts.queryKey })
    await refetch()
  }

  return (
    <>
      <div className="col-span-full mb-10 lg:col-span-5 lg:col-start-8 lg:row-start-2 lg:mb-0">
        <div className="lg:sticky lg:top-24">
          <OrderSummary
            product={product}
            quantity={shownQuantity}
            maxQuantity={maxQuantity}
            amountCents={order?.amountCents ?? product.priceCents * shownQuantity}
            discountCents={order?.discountCents ?? 0}
            reservedUntil={order?.reservedUntil ?? null}
            isChanging={isChanging || isFetching}
            quantityNotice={quantityNotice}
            onQuantity={(next) =>
              void navigate({
                to: '/checkout',
                search: { product: product.id, quantity: next },
                replace: true,
                resetScroll: false,
              })
            }
          >
            {order && (
              <PromotionCode
                appliedCode={order.promotionCode}
                isChanging={isChanging}
                onApply={(promotionCode) => change.mutateAsync({ promotionCode })}
              />
            )}
          </OrderSummary>
        </div>
      </div>
      <div className="col-span-full lg:col-span-6 lg:row-start-2">
        {order ? (
          <CheckoutForm
            site={site}
            product={product}
            order={order}
            onChange={change.mutateAsync}
            isChanging={isChanging}
            onOrderClosed={async () => (await refetch()).error}
          />
        ) : (
          <>
            {isFetching ? (
              <Spinner>Preparing the payment</Spinner>
            ) : (
              error && <CheckoutErrorPanel error={error} onRetry={() => void retry()} />
            )}
            <Button variant="primary" disabled className="pay-button mt-6">
              Pay {formatPrice(product.priceCents * shownQuantity)}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

function CheckoutErrorPanel({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { title, text, canRetry } = checkoutErrorMessage(error)
  return (
    <CheckoutError title={title} text={text} onRetry={canRetry ? onRetry : undefined}>
      <SectionLink section="merch" className={buttonClass('outline')}>
        Go to the merch store
      </SectionLink>
    </CheckoutError>
  )
}

type CheckoutErrorMessage = { title: string; text: string; canRetry: boolean }

function remainingStock(error: Error | null): number | null {
  return error instanceof ApiError && error.code === 'sold_out' && error.stockLeft ? error.stockLeft : null
}

function checkoutErrorMessage(error: Error): CheckoutErrorMessage {
  if (!(error instanceof ApiError))
    return {
      title: 'No connection',
      text: 'The payment could not be prepared. Check your connection and try again; nothing has been charged.',
      canRetry: true,
    }
  const text = errorMessage(error)
  switch (error.code) {
    case 'payments_off':
      return {
        title: 'Card payment is not set up on this site yet',
        text: 'Your order is not lost: it is in this page’s address. Nothing has been charged.',
        canRetry: true,
      }
    case 'sold_out':
      return error.stockLeft
        ? { title: 'Not enough in stock', text: `${text} Order fewer on the receipt.`, canRetry: true }
        : {
            title: 'Sold out',
            text: `${text} Leave your email in the store to hear about the next drop.`,
            canRetry: true,
          }
    case 'too_many_reserved':
      return { title: 'Too many at once', text, canRetry: true }
    case 'order_paid':
    case 'payment_under_way':
      return {
        title: 'This order is already paid or being processed',
        text: `${text} Its receipt is on its way to you.`,
        canRetry: true,
      }
    case 'price_changed':
      return { title: 'The price has changed', text: `${text} Retry shows the new one.`, canRetry: true }
    case 'rate_limited':
      return { title: 'One moment', text, canRetry: true }
    case 'not_found':
      return { title: 'This product is not sold here', text, canRetry: false }
    default:
      return { title: 'The payment could not be prepared', text: `${text} Nothing has been charged.`, canRetry: true }
  }
}
