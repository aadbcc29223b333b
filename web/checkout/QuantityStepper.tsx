import { Minus, Plus } from 'lucide-react'

type Props = {
  quantity: number
  /** The most that can be ordered. */
  max: number
  /** Called with a whole number from 1 to `most`. */
  onChange: (quantity: number) => void
  /** A change is on its way to the server: another one waits. */
  changing: boolean
}

/** How many, on the receipt: two buttons and the number between them, which is read out when it changes. */
export function QuantityStepper({ quantity, max, onChange, changing }: Props) {
  const step = (by: number) => {
    const next = quantity + by
    if (!changing && next >= 1 && next <= max) onChange(next)
  }
  return (
    <fieldset aria-label="Quantity" className="quantity">
      <button
        type="button"
        aria-label="One fewer"
        aria-disabled={changing || quantity <= 1}
        onClick={() => step(-1)}
        className="quantity-step"
      >
        <Minus size={18} aria-hidden />
      </button>
      <output aria-live="polite" aria-busy={changing} className="figures min-w-10 text-center text-lg font-bold">
        {quantity}
      </output>
      <button
        type="button"
        aria-label="One more"
        aria-disabled={changing || quantity >= max}
        onClick={() => step(1)}
        className="quantity-step"
      >
        <Plus size={18} aria-hidden />
      </button>
    </fieldset>
  )
}
