import { Minus, Plus } from 'lucide-react'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Product } from '../../worker/contract/products'
import { errorMessage } from '../api/call'
import { formatPrice, formatTime } from '../lib/format'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { ReceiptLine, ReceiptTotal } from './ReceiptLine'

type Props = {
  product: Product
  quantity: number
  maxQuantity: number
  amountCents: number
  discountCents: number
  /** Null before there is an order. */
  reservedUntil: string | null
  isChanging: boolean
  onQuantity: (quantity: number) => void
  /** Why the quantity differs from the requested one. */
  quantityNotice: string | null
  /** Shown below the total. */
  children?: ReactNode
}

export function OrderSummary({
  product,
  quantity,
  maxQuantity,
  amountCents,
  discountCents,
  reservedUntil,
  isChanging,
  onQuantity,
  quantityNotice,
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
          <p className="text-lg leading-tight font-extrabold wrap-anywhere">{product.name}</p>
          <p className="mt-1.5 text-sm wrap-anywhere">{product.description}</p>
        </div>
      </div>
      <dl className="tabular-figures">
        <ReceiptLine term="Quantity">
          <QuantityStepper
            product={product.name}
            quantity={quantity}
            max={maxQuantity}
            onChange={onQuantity}
            isChanging={isChanging}
          />
        </ReceiptLine>
        {quantityNotice && (
          <div className="pb-3 text-right text-sm font-semibold text-sunset-deep" role="status">
            <dt className="sr-only">Note</dt>
            <dd>{quantityNotice}</dd>
          </div>
        )}
        <ReceiptLine term="Unit price">{formatPrice(product.priceCents)}</ReceiptLine>
        {product.ships && <ReceiptLine term="Shipping">Included</ReceiptLine>}
        {discountCents > 0 && <ReceiptLine term="Promotion">−{formatPrice(discountCents)}</ReceiptLine>}
        <ReceiptTotal>{formatPrice(amountCents)}</ReceiptTotal>
      </dl>
      {children}
      {reservedUntil && (
        <p className="mt-5 text-sm">
          Reserved for you until <time dateTime={reservedUntil}>{formatTime(reservedUntil)}</time>.
        </p>
      )}
    </section>
  )
}

type QuantityStepperProps = {
  product: string
  quantity: number
  max: number
  /** Called with a whole number from 1 to `max`. */
  onChange: (quantity: number) => void
  isChanging: boolean
}

function QuantityStepper({ product, quantity, max, onChange, isChanging }: QuantityStepperProps) {
  const step = (change: 1 | -1) => {
    const newQuantity = quantity + change
    if (!isChanging && newQuantity >= 1 && newQuantity <= max) onChange(newQuantity)
  }
  return (
    <fieldset aria-label={`Quantity of ${product}`} className="quantity">
      <button
        type="button"
        aria-label="One fewer"
        aria-disabled={isChanging || quantity <= 1}
        onClick={() => step(-1)}
        className="quantity-step"
      >
        <Minus size={18} aria-hidden />
      </button>
      <output
        aria-label="Quantity"
        aria-live="polite"
        aria-busy={isChanging}
        className="tabular-figures min-w-10 text-center text-lg font-bold"
      >
        {quantity}
      </output>
      <button
        type="button"
        aria-label="One more"
        aria-disabled={isChanging || quantity >= max}
        onClick={() => step(1)}
        className="quantity-step"
      >
        <Plus size={18} aria-hidden />
      </button>
    </fieldset>
  )
}

type PromotionCodeProps = {
  appliedCode: string | null
  /** Rejects with the server's message. */
  onApply: (code: string) => Promise<unknown>
  isChanging: boolean
}

export function PromotionCode({ appliedCode, onApply, isChanging }: PromotionCodeProps) {
  const [error, setError] = useState<string>()
  const id = useId()
  if (appliedCode)
    return (
      <p role="status" className="mt-5 text-sm">
        <strong className="font-bold tracking-wide">{appliedCode}</strong> is on this order.
      </p>
    )

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isChanging) return
    const code = String(new FormData(event.currentTarget).get('code')).trim()
    if (code === '') {
      setError('Please enter a code.')
      return
    }
    setError(undefined)
    await onApply(code).catch((applyError: Error) => setError(errorMessage(applyError)))
  }

  return (
    <form noValidate onSubmit={submit} className="mt-5">
      <label htmlFor={id} className="font-label">
        Promotion code
      </label>
      <div className="receipt-field">
        <input
          id={id}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          placeholder="From the broadcast channel"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <button type="submit" aria-disabled={isChanging} className="receipt-action">
          Apply
        </button>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-2 text-sm font-semibold text-sunset-deep">
          {error}
        </p>
      )}
    </form>
  )
}
