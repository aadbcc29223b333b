/** The address of /checkout. Left out, `product` is the first one that is not featured and `quantity` is 1. */
export type CheckoutSearch = { product?: string; quantity?: number }

/** How many of one product can be ordered at once. */
export const MAX_QUANTITY = 99

/** A whole number from 1 to MOST: a fraction is cut, anything that is no number is 1. */
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
