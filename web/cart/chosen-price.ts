import { MIN_CHARGE_CENTS } from '../../worker/contract/pricing'
import { formatPrice } from '../lib/format'

/** Why a pay-what-you-want price is invalid; null if it is valid. `cents` is null if it is not an amount. */
export function chosenPriceError(cents: number | null, minimumCents: number): string | null {
  if (cents === null) return 'Enter an amount like 12 or 12.50.'
  if (cents < minimumCents) return `The lowest price is ${formatPrice(minimumCents)}. Thank you for anything above it.`
  if (cents > 0 && cents < MIN_CHARGE_CENTS)
    return `A card payment starts at ${formatPrice(MIN_CHARGE_CENTS)}. Choose that or more, or nothing at all.`
  return null
}
