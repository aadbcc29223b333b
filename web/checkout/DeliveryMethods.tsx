import type { ShippingMethod } from '../../worker/contract/checkout'
import { formatPrice } from '../lib/format'

type Props = {
  /** Empty until the address is known. */
  methods: readonly ShippingMethod[]
  selectedId: string | null
  onSelect: (id: string) => void
  hasAddress: boolean
  isChanging: boolean
}

/** Choice of the delivery method. Reserves its height until the address is known, to avoid a layout shift. */
export function DeliveryMethods({ methods, selectedId, onSelect, hasAddress, isChanging }: Props) {
  const addressText = hasAddress ? 'We ship to this address.' : 'Enter your address to see how we can deliver.'
  if (methods.length === 0)
    return (
      <p className="flex min-h-16 items-center border-y border-rule text-muted">
        {isChanging ? 'Looking up delivery to your address' : addressText}
      </p>
    )
  return (
    <fieldset className="border-y border-rule">
      <legend className="sr-only">Delivery method</legend>
      {methods.map(({ id, name, priceCents }) => (
        <label
          key={id}
          className="flex min-h-16 cursor-pointer items-center gap-4 border-t border-rule first-of-type:border-t-0"
        >
          <input
            type="radio"
            name="delivery-method"
            value={id}
            checked={selectedId === id}
            onChange={() => onSelect(id)}
            className="size-5 shrink-0 accent-gold"
          />
          <span className="grow font-semibold">{name}</span>
          <span className="tabular-figures shrink-0">{priceCents === 0 ? 'Free' : formatPrice(priceCents)}</span>
        </label>
      ))}
    </fieldset>
  )
}
