import type { ReactNode } from 'react'
import type { Product } from '../../worker/contract/products'
import { formatPrice } from '../lib/format'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { QuantityStepper } from './QuantityStepper'
import { ReceiptLine, ReceiptTotal } from './ReceiptLine'

const timeOfDay = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' })

type Props = {
  product: Product
  quantity: number
  maxQuantity: number
  /** What is paid, where the server has said so. */
  amountCents: number
  discountCents: number
  /** Until when the stock is kept for this buyer; null before there is an order. */
  reservedUntil: string | null
  changing: boolean
  onQuantity: (quantity: number) => void
  /** Why the quantity is not what was asked for; null when it is. */
  notice: string | null
  /** Stands between the lines and the total. */
  children?: ReactNode
}

/** The order as a till receipt, with the number that can be changed. */
export function OrderSummary({
  product,
  quantity,
  maxQuantity,
  amountCents,
  discountCents,
  reservedUntil,
  changing,
  onQuantity,
  notice,
  children,
}: Props) {
  return (
    <section aria-labelledby="order-title" className="receipt">
      <h2 id="order-title" className="font-label">
        Order summary
      </h2>
      <div className="mt-5 mb-6 grid grid-cols-[5.5rem_1fr] items-start gap-5">
        <ResponsiveImage
          src={product.imageUrl}
          alt={product.images.find(({ url }) => url === product.imageUrl)?.alt ?? product.name}
          width={1200}
          height={1200}
          sizes="5.5rem"
          eager
          className="aspect-square w-full object-cover"
        />
        <div>
          <p className="text-lg leading-tight font-extrabold">{product.name}</p>
          <p className="mt-1.5 text-sm">{product.description}</p>
        </div>
      </div>
      <dl className="figures">
        <ReceiptLine term="Quantity">
          <QuantityStepper quantity={quantity} max={maxQuantity} onChange={onQuantity} changing={changing} />
        </ReceiptLine>
        {notice && (
          <div className="pb-3 text-right text-sm font-semibold text-sunset-deep" role="status">
            <dt className="sr-only">Note</dt>
            <dd>{notice}</dd>
          </div>
        )}
        <ReceiptLine term="Unit price">{formatPrice(product.priceCents)}</ReceiptLine>
        {discountCents > 0 && <ReceiptLine term="Promotion">−{formatPrice(discountCents)}</ReceiptLine>}
        <ReceiptTotal>{formatPrice(amountCents)}</ReceiptTotal>
      </dl>
      {children}
      {reservedUntil && (
        <p className="mt-5 text-sm">
          Kept for you until <time dateTime={reservedUntil}>{timeOfDay.format(Date.parse(reservedUntil))}</time>.
        </p>
      )}
    </section>
  )
}
