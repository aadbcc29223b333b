import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Product } from '../../worker/contract/products'
import type { SiteConfig } from '../../worker/contract/site'
import { errorMessage } from '../api/call'
import { SectionLink } from '../layout/SectionLink'
import { formatPrice } from '../lib/format'
import { allProducts } from '../products/products.queries'
import { Button, buttonClass } from '../ui/Button'
import { CheckoutError } from './CheckoutError'
import { CheckoutForm } from './CheckoutForm'
import { checkoutErrorMessage, remainingStock } from './error-messages'
import { OrderSummary } from './OrderSummary'
import { usePreparedOrder } from './order.queries'
import { PromotionCode } from './PromotionCode'
import { Spinner } from './Spinner'
import { MAX_QUANTITY } from './search'

type Props = { site: SiteConfig; product: Product; requestedQuantity: number }

/** One order of one product: its receipt, and the form that pays it once the server has prepared the payment. */
export function Checkout({ site, product, requestedQuantity }: Props) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const quantity = Math.min(requestedQuantity, MAX_QUANTITY)
  const [notice, setNotice] = useState<string | null>(null)
  const { data: order, error, isFetching, refetch, change } = usePreparedOrder(product, quantity)
  const { mutate, isPending: changing } = change
  const shown = order?.quantity ?? quantity
  // The product's own stock does not count what this buyer's order keeps: only the server knows how many they can have.
  const maxQuantity = Math.min(MAX_QUANTITY, order?.available ?? Math.max(quantity, product.stock))

  // The address says how many: a step on the receipt changes it, and the order follows.
  useEffect(() => {
    if (!order || order.quantity === quantity || changing) return
    mutate(
      { quantity },
      {
        onSuccess: () => setNotice(null),
        onError: (refused) => {
          setNotice(errorMessage(refused))
          void navigate({ to: '/checkout', search: { product: product.id, quantity: order.quantity }, replace: true })
        },
      },
    )
  }, [order, quantity, changing, mutate, navigate, product.id])

  // Fewer are left than the address asks for: those are ordered, and it is said.
  const remaining = order ? null : remainingStock(error)
  useEffect(() => {
    if (remaining === null || remaining >= quantity) return
    setNotice(`Only ${remaining} of these ${remaining === 1 ? 'is' : 'are'} left.`)
    void navigate({ to: '/checkout', search: { product: product.id, quantity: remaining }, replace: true })
  }, [remaining, quantity, navigate, product.id])

  // After a refusal there is no order to change: another quantity asks anew.
  const refused = order === undefined && error !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the quantity that matters.
  useEffect(() => {
    if (refused) void refetch()
  }, [quantity])

  async function retry() {
    await queries.refetchQueries({ queryKey: allProducts.queryKey })
    await refetch()
  }

  return (
    <>
      <aside className="col-span-full mb-10 lg:col-span-5 lg:col-start-8 lg:row-start-2 lg:mb-0">
        <div className="lg:sticky lg:top-24">
          <OrderSummary
            product={product}
            quantity={shown}
            maxQuantity={maxQuantity}
            amountCents={order?.amountCents ?? product.priceCents * shown}
            discountCents={order?.discountCents ?? 0}
            reservedUntil={order?.reservedUntil ?? null}
            changing={changing || isFetching}
            notice={notice}
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
                applied={order.promotionCode}
                changing={changing}
                onApply={(promotionCode) => change.mutateAsync({ promotionCode })}
              />
            )}
          </OrderSummary>
        </div>
      </aside>
      <div className="col-span-full lg:col-span-6 lg:row-start-2">
        {order ? (
          <CheckoutForm
            site={site}
            product={product}
            order={order}
            onChange={change.mutateAsync}
            changing={changing}
            onOrderClosed={async () => (await refetch()).error}
          />
        ) : (
          <>
            {isFetching ? (
              <Spinner>Preparing the payment</Spinner>
            ) : (
              error && <CheckoutErrorPanel error={error} onRetry={() => void retry()} />
            )}
            <Button variant="foil" disabled className="pay-button mt-6">
              Pay {formatPrice(product.priceCents * shown)}
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
        To the Merch Store
      </SectionLink>
    </CheckoutError>
  )
}
