/**
 * Search parameters of /checkout: the cart, or one product with its variant. `price` is the price in cents that the
 * buyer named. Defaults: the first product that is not featured, quantity 1.
 */
export type CheckoutSearch = { product?: string; variant?: string; quantity?: number; price?: number; cart?: true }

export const MAX_QUANTITY = 99

/** A whole number from 1 to MAX_QUANTITY: fractions are truncated, and values that are not numbers become 1. */
export function clampQuantity(value: unknown): number {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return Number.isNaN(number) ? 1 : Math.min(MAX_QUANTITY, Math.max(1, Math.trunc(number)))
}

export function parseCheckoutSearch(search: Record<string, unknown>): CheckoutSearch {
  const { product, variant, quantity, price, cart } = search
  if (cart === true || cart === 'true') return { cart: true }
  return {
    ...((typeof product === 'string' || typeof product === 'number') && { product: String(product) }),
    ...((typeof variant === 'string' || typeof variant === 'number') && { variant: String(variant) }),
    ...(typeof price === 'number' && Number.isSafeInteger(price) && price >= 0 && { price }),
    ...(quantity !== undefined && { quantity: clampQuantity(quantity) }),
  }
}

/** Search parameters of /orders/{id}: the secret as `client_secret` from the payment or `token` from the email. */
type OrderSearch = { client_secret?: string; token?: string; purchase?: 'success' }

export function parseOrderSearch({ client_secret, token, purchase }: Record<string, unknown>): OrderSearch {
  return {
    ...(client_secret !== undefined && { client_secret: String(client_secret) }),
    ...(token !== undefined && { token: String(token) }),
    ...(purchase === 'success' && { purchase }),
  }
}

/** `tier` preselects a tier; 'vip' means gold. `subscribed` is set by the provider's return URL and proves nothing. */
type SubscribeSearch = { tier?: 'silver' | 'gold'; subscribed?: 'silver' | 'gold' }

export function parseSubscribeSearch(search: Record<string, unknown>): SubscribeSearch {
  const tier = parsePaidTier(search.tier)
  const subscribed = parsePaidTier(search.subscribed)
  return { ...(tier && { tier }), ...(subscribed && { subscribed }) }
}

function parsePaidTier(name: unknown): 'silver' | 'gold' | undefined {
  if (name === 'silver') return 'silver'
  return name === 'gold' || name === 'vip' ? 'gold' : undefined
}
