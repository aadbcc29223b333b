import { clsx } from 'clsx'
import { Minus, Plus } from 'lucide-react'

type Props = {
  /** Name of the product for the accessible label: 'Quantity of The Hoodie, M'. */
  productName: string
  quantity: number
  max: number
  /** Called with a whole number from 1 to `max`. */
  onChange: (quantity: number) => void
  isChanging?: boolean
  /** Smaller and for dark backgrounds. */
  isCompact?: boolean
}

export function QuantityStepper({
  productName,
  quantity,
  max,
  onChange,
  isChanging = false,
  isCompact = false,
}: Props) {
  const step = (change: 1 | -1) => {
    const newQuantity = quantity + change
    if (!isChanging && newQuantity >= 1 && newQuantity <= max) onChange(newQuantity)
  }
  const button = (label: string, change: 1 | -1, isDisabled: boolean) => (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isChanging || isDisabled}
      onClick={() => step(change)}
      className={clsx(
        'grid size-11 place-items-center transition-colors duration-150 ease-out aria-disabled:cursor-not-allowed aria-disabled:opacity-45',
        isCompact ? 'hover:not-aria-disabled:text-gold-bright' : 'hover:not-aria-disabled:bg-background/12',
      )}
    >
      {change < 0 ? <Minus size={18} aria-hidden /> : <Plus size={18} aria-hidden />}
    </button>
  )
  return (
    <fieldset
      aria-label={`Quantity of ${productName}`}
      className={clsx(
        'flex w-fit items-center',
        isCompact ? 'rounded-xs border border-rule-strong' : 'border-2 border-background',
      )}
    >
      {button('One fewer', -1, quantity <= 1)}
      <output
        aria-label="Quantity"
        aria-live="polite"
        aria-busy={isChanging}
        className={clsx('tabular-figures text-center font-bold', isCompact ? 'min-w-8' : 'min-w-10 text-lg')}
      >
        {quantity}
      </output>
      {button('One more', 1, quantity >= max)}
    </fieldset>
  )
}
