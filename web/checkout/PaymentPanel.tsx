import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import type { Product } from '../../worker/contract/shop'
import { ApiError } from '../api/call'
import { price } from '../lib/money'
import { Button } from '../ui/Button'
import { paymentIntent } from './payment.queries'

type Props = {
  product: Product
  quantity: number
  /** Asks for everything on the screen again: a refused intent may mean that the price has changed. */
  onRetry: () => void
}

/**
 * What stands between the order and its payment. Until the server has prepared one there is a spinner; when it cannot,
 * a sentence and a way to try again (ruling 25). A prepared payment without a card form is one that is not set up.
 */
export function PaymentPanel({ product, quantity, onRetry }: Props) {
  const why = useId()
  const { error, isFetching, refetch } = useQuery(paymentIntent(product, quantity))
  return (
    <section aria-labelledby="payment-title" className="mt-10">
      <h2 id="payment-title" className="font-label text-gold">
        Card payment
      </h2>
      <div id={why} className="mt-4 grid min-h-40 content-center border-y border-rule py-6">
        {isFetching ? (
          <p role="status" className="flex items-center gap-4">
            <span aria-hidden="true" className="disc spinner" />
            Preparing the payment
          </p>
        ) : (
          <div role="alert" className="grid justify-items-start gap-5">
            <p className="max-w-prose text-lg">{sentence(error)}</p>
            <Button
              onClick={() => {
                onRetry()
                void refetch()
              }}
            >
              <RotateCcw size={18} aria-hidden />
              Retry
            </Button>
          </div>
        )}
      </div>
      <Button look="foil" disabled aria-describedby={why} className="mt-6 w-full min-h-14">
        Pay {price(product.priceCents * quantity)}
      </Button>
    </section>
  )
}

function sentence(error: Error | null): string {
  if (!error || (error instanceof ApiError && error.code === 'payments_off'))
    return 'Card payment is not set up on this site yet'
  return `The payment could not be prepared. ${error.message}`
}
