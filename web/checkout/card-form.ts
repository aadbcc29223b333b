/**
 * What a provider's card form hands to the checkout. There are two: Stripe's Payment Element, and the demo's own
 * test cards. The checkout knows neither.
 */
export type Card = {
  /** Whether the card can be tried; what is wrong with it is shown in its own form. */
  check: () => Promise<boolean>
  /** Charges it, through any second step. Resolves to null when the provider took it, else to the provider's sentence. */
  charge: () => Promise<string | null>
}

export type CardFormProps = {
  orderId: string
  clientSecret: string
  amountCents: number
  /** The buyer's address at this moment: the provider's own receipt goes there. */
  email: () => string
  /** Hands over the card once its form can be used, and null when it no longer can. */
  onReady: (card: Card | null) => void
}

/** The order's own return address: the site's origin with `purchase=success` (specification section 8). */
export function returnUrl(origin: string, orderId: string): string {
  return `${origin}/?purchase=success&order=${encodeURIComponent(orderId)}`
}
