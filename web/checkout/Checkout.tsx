import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { PaymentIntent } from '../../worker/contract/checkout'
import type { SiteConfig } from '../../worker/contract/site'
import { errorMessage, hasCode } from '../api/call'
import { openCart } from '../cart/cart-store'
import { SectionLink } from '../layout/SectionLink'
import { formatPrice } from '../lib/format'
import { saveCartOrder } from '../orders/cart-order'
import { allProducts } from '../products/products.queries'
import { MAX_QUANTITY } from '../search-params'
import { Button, buttonClass } from '../ui/Button'
import { QuantityStepper } from '../ui/QuantityStepper'
import { CheckoutForm } from './CheckoutForm'
import { CheckoutError, Spinner } from './CheckoutMessages'
import { checkoutErrorMessage, remainingStock } from './checkout-errors'
import { type CheckoutSource, isSameOrder, sourceTotalCents } from './checkout-source'
import { OrderSummary, PromotionCode } from './OrderSummary'
import { usePreparedOrder } from './order.queries'
import { BreakdownRows, SummaryRow } from './SummaryRow'
import { useTotalChange } from './total-change'

type Props = { site: SiteConfig; source: CheckoutSource }

/** The order summary and the form. Creates the order for `source`, and updates it when the quantity or cart changes. */
export function Checkout({ site, source }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [notice, setNotice] = useState<string | null>(null)
  const { data: order, error, isFetching, refetch, change } = usePreparedOrder(source)
  const { mutate, isPending: isChanging } = change
  const totalChange = useTotalChange(order)
  const productSource = source.kind === 'product' ? source : null
  const setQuantity = (quantity: number) =>
    productSource &&
    navigate({
      to: '/checkout',
      search: (search) => ({ product: productSource.product.id, ...search, quantity }),
      replace: true,
      resetScroll: false,
    })

  // Updates the order when the quantity in the URL or the cart changes. A rejected change is not repeated.
  const sourceKey = JSON.stringify(source.kind === 'cart' ? source.lines : source.quantity)
  const rejectedKey = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when `sourceKey` or `order` changes.
  useEffect(() => {
    if (!order || isChanging || rejectedKey.current === sourceKey || isSameOrder(source, order.lines)) return
    mutate(
      {},
      {
        onSuccess: () => setNotice(null),
        onError: (changeError) => {
          rejectedKey.current = sourceKey
          setNotice(errorMessage(changeError))
          void setQuantity(order.quantity)
        },
      },
    )
  }, [order, sourceKey, isChanging, mutate])

  const remaining = order ? null : remainingStock(error)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when an order was rejected for its quantity.
  useEffect(() => {
    if (remaining === null || !productSource || remaining >= productSource.quantity) return
    setNotice(`Only ${remaining} of these ${remaining === 1 ? 'is' : 'are'} left.`)
    void setQuantity(remaining)
  }, [remaining])

  // After an error there is no order to change, so another quantity or cart starts a new one.
  const hasFailed = order === undefined && error !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the quantity or the cart changes.
  useEffect(() => {
    if (hasFailed) void refetch()
  }, [sourceKey])

  async function retry() {
    await queryClient.refetchQueries({ queryKey: allProducts.queryKey })
    await queryClient.invalidateQueries({ queryKey: ['cart-quote'] })
    await refetch()
  }

  const quantity = order?.quantity ?? productSource?.quantity ?? 1
  // A line's `available` includes the units that this order reserves; the product's stock does not. Null: unlimited.
  const availableUnits = order
    ? order.lines[0]?.available
    : productSource && Math.max(productSource.quantity, productSource.variant.stock ?? MAX_QUANTITY)
  const maxQuantity = Math.min(MAX_QUANTITY, availableUnits ?? MAX_QUANTITY)
  const totalCents = order?.breakdown.totalCents ?? sourceTotalCents(source)

  return (
    <>
      <div className="col-span-full mb-10 lg:col-span-5 lg:col-start-8 lg:row-start-2 lg:mb-0">
        <div className="lg:sticky lg:top-24">
          <OrderSummary
            lines={order?.lines ?? sourceLines(source)}
            totalCents={totalCents}
            changeText={notice ?? totalChange}
            reservedUntil={order?.reservedUntil ?? null}
            rows={
              <>
                {productSource && (
                  <SummaryRow term="Quantity">
                    <QuantityStepper
                      productName={productSource.product.name}
                      quantity={quantity}
                      max={maxQuantity}
                      onChange={(next) => void setQuantity(next)}
                      isChanging={isChanging || isFetching}
                    />
                  </SummaryRow>
                )}
                <BreakdownRows
                  breakdown={order?.breakdown ?? unpricedBreakdown(totalCents)}
                  tax={order?.tax ?? null}
                  shippingMethod={shippingMethodOf(source, order)}
                  code={order?.discountCode ?? null}
                />
              </>
            }
          >
            {order && (
              <PromotionCode
                appliedCode={order.discountCode}
                notice={order.discountNotice}
                isChanging={isChanging}
                onApply={(discountCode) => change.mutateAsync({ discountCode })}
              />
            )}
            <SummaryActions source={source} />
          </OrderSummary>
        </div>
      </div>
      <div className="col-span-full lg:col-span-6 lg:row-start-2">
        {order ? (
          <CheckoutForm
            site={site}
            order={order}
            onChange={change.mutateAsync}
            isChanging={isChanging}
            onOrderClosed={async () => (await refetch()).error}
            onCharge={source.kind === 'cart' ? saveCartOrder : undefined}
          />
        ) : (
          <>
            {isFetching ? (
              <Spinner>Preparing the payment</Spinner>
            ) : (
              error && <CheckoutErrorPanel error={error} source={source} onRetry={() => void retry()} />
            )}
            <Button variant="primary" disabled className="pay-button mt-6">
              Pay {formatPrice(totalCents)}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

/** The lines to show until the order exists. */
const sourceLines = (source: CheckoutSource) =>
  source.kind === 'cart'
    ? source.lines.flatMap(({ variantId, quantity, unitPriceCents, seen }) =>
        seen ? [{ ...seen, variantId, quantity, unitPriceCents: unitPriceCents ?? seen.priceCents }] : [],
      )
    : [
        {
          variantId: source.variant.id,
          productName: source.product.name,
          variantName: source.variant.name,
          imageUrl: source.variant.imageUrl || source.product.imageUrl,
          quantity: source.quantity,
          unitPriceCents: source.unitPriceCents ?? source.variant.priceCents,
        },
      ]

const unpricedBreakdown = (linesCents: number) => ({
  linesCents,
  shippingCents: 0,
  taxCents: 0,
  taxIncluded: false,
  discountCents: 0,
  totalCents: linesCents,
})

/** The chosen method: null until the address is known or a pick-up is chosen, undefined if nothing ships. */
function shippingMethodOf(source: CheckoutSource, order: PaymentIntent | undefined) {
  const ships = order
    ? order.lines.some(({ kind }) => kind === 'shipped')
    : source.kind === 'cart' || source.product.kind === 'shipped'
  if (!ships) return undefined
  return order?.shippingMethods.find(({ id }) => id === order.shippingMethodId) ?? null
}

const summaryActionClass = 'mt-3 -mb-2 min-h-11 text-sm font-semibold underline underline-offset-4'

function SummaryActions({ source }: { source: CheckoutSource }) {
  const navigate = useNavigate()
  if (source.kind === 'cart')
    return (
      <button type="button" onClick={openCart} className={summaryActionClass}>
        Change the cart
      </button>
    )
  if (source.product.variants.length === 1) return null
  return (
    <button
      type="button"
      onClick={() =>
        void navigate({ to: '/checkout', search: ({ variant: _, ...search }) => search, resetScroll: false })
      }
      className={summaryActionClass}
    >
      Change the {Object.keys(source.variant.options).join(' and ').toLowerCase() || 'choice'}
    </button>
  )
}

type ErrorPanelProps = { error: Error; source: CheckoutSource; onRetry: () => void }

function CheckoutErrorPanel({ error, source, onRetry }: ErrorPanelProps) {
  const { title, text, canRetry } = checkoutErrorMessage(error)
  const isCartProblem = source.kind === 'cart' && hasCode(error, 'sold_out', 'price_changed', 'not_found')
  return (
    <CheckoutError
      title={title}
      text={isCartProblem ? `${errorMessage(error)} Your cart shows what has changed.` : text}
      onRetry={canRetry ? onRetry : undefined}
    >
      {source.kind === 'cart' ? (
        <Button onClick={openCart}>Open the cart</Button>
      ) : (
        <SectionLink section="merch" className={buttonClass('outline')}>
          Go to the merch store
        </SectionLink>
      )}
    </CheckoutError>
  )
}
