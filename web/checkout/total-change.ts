import { useEffect, useRef, useState } from 'react'
import type { PaymentIntent } from '../../worker/contract/checkout'
import { formatPrice } from '../lib/format'

type PricedTotals = Pick<PaymentIntent, 'breakdown' | 'shippingMethodId' | 'shippingMethods' | 'discountCode'>

/** Describes how an update of the order changed its total; null if total, tax and shipping are unchanged. */
function describeTotalChange(before: PricedTotals, after: PricedTotals): string | null {
  const previous = before.breakdown
  const current = after.breakdown
  const isUnchanged =
    previous.totalCents === current.totalCents &&
    previous.taxCents === current.taxCents &&
    previous.shippingCents === current.shippingCents
  if (isUnchanged) return null
  const method = after.shippingMethods.find(({ id }) => id === after.shippingMethodId)
  const reasons = [
    previous.linesCents !== current.linesCents && `Your items are now ${formatPrice(current.linesCents)}.`,
    previous.discountCents !== current.discountCents &&
      (current.discountCents > 0
        ? `${after.discountCode} takes off ${formatPrice(current.discountCents)}.`
        : 'There is no discount now.'),
    (previous.shippingCents !== current.shippingCents || before.shippingMethodId !== after.shippingMethodId) &&
      method &&
      `${method.name} ${current.shippingCents === 0 ? 'is free' : `costs ${formatPrice(current.shippingCents)}`}.`,
    previous.taxCents !== current.taxCents &&
      (current.taxIncluded
        ? `The prices include ${formatPrice(current.taxCents)} tax.`
        : `Tax is ${formatPrice(current.taxCents)}.`),
    previous.totalCents !== current.totalCents && `The total is now ${formatPrice(current.totalCents)}.`,
  ]
  return reasons.filter(Boolean).join(' ')
}

/** The sentence about the last change of the total; null before the first change. */
export function useTotalChange(order: PaymentIntent | undefined): string | null {
  const previous = useRef<PaymentIntent>(undefined)
  const [change, setChange] = useState<string | null>(null)
  useEffect(() => {
    if (!order) return
    const text = previous.current && describeTotalChange(previous.current, order)
    if (text) setChange(text)
    previous.current = order
  }, [order])
  return change
}
