/** Search parameters of /checkout. Defaults: the first product that is not featured, quantity 1. */
export type CheckoutSearch = { product?: string; quantity?: number }

export const MAX_QUANTITY = 99

/** A whole number from 1 to MAX_QUANTITY: fractions are truncated, anything else is 1. */
export function clampQuantity(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? 1 : Math.min(MAX_QUANTITY, Math.max(1, Math.trunc(number)))
}

export function parseCheckoutSearch(search: Record<string, unknown>): CheckoutSearch {
  const { product, quantity } = search
  return {
    ...((typeof product === 'string' || typeof product === 'number') && { product: String(product) }),
    ...(quantity !== undefined && { quantity: clampQuantity(quantity) }),
  }
}
