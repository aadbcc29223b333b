import { useEffect, useRef, useState } from 'react'
import type { PaymentIntent } from '../../worker/contract/checkout'
import { formatPrice } from '../lib/format'

type Totals = Pick<PaymentIntent, 'breakdown' | 'shippingMethodId' | 'shippingMethods' | 'discountCode'>

/** Says how a change of the order has changed its total; null if total, tax and shipping are the same. */
function totalChange(before: Totals, after: Totals): string | null {
  const [old, now] = [before.breakdown, after.breakdown]
  if (old.totalCents === now.totalCents && old.taxCents === now.taxCents && old.shippingCents === now.shippingCents)
    return null
  const method = after.shippingMethods.find(({ id }) => id === after.shippingMethodId)
  const reasons = [
    old.linesCents !== now.linesCents && `Your items are now ${formatPrice(now.linesCents)}.`,
    old.discountCents !== now.discountCents &&
      (now.discountCents > 0
        ? `${after.discountCode} takes off ${formatPrice(now.discountCents)}.`
        : 'The code no longer applies.'),
    (old.shippingCents !== now.shippingCents || before.shippingMethodId !== after.shippingMethodId) &&
      method &&
      `${method.name} ${now.shippingCents === 0 ? 'is free' : `costs ${formatPrice(now.shippingCents)}`}.`,
    old.taxCents !== now.taxCents &&
      (now.taxIncluded
        ? `The prices include ${formatPrice(now.taxCents)} tax.`
        : `Tax is ${formatPrice(now.taxCents)}.`),
    old.totalCents !== now.totalCents && `The total is now ${formatPrice(now.totalCents)}.`,
  ]
  return reasons.filter(Boolean).join(' ')
}

/** The sentence about the last change of the total; null before the first change. */
export function useTotalChange(order: PaymentIntent | undefined): string | null {
  const previous = useRef<PaymentIntent>(undefined)
  const [change, setChange] = useState<string | null>(null)
  useEffect(() => {
    if (!order) return
    const text = previous.current && totalChange(previous.current, order)
    if (text) setChange(text)
    previous.current = order
  }, [order])
  return change
}
