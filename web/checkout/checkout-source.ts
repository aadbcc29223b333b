import type { IntentRequest } from '../../worker/contract/checkout'
import type { Product, ProductVariant } from '../../worker/contract/products'
import type { StoredLine } from '../cart/cart-store'

/** What is bought: the product in the URL, or the cart. */
export type CheckoutSource =
  | {
      kind: 'product'
      product: Product
      variant: ProductVariant
      quantity: number
      /** The buyer's price of a pay-what-you-want variant; else null. */
      unitPriceCents: number | null
    }
  | { kind: 'cart'; lines: readonly StoredLine[] }

/** Name under which the browser stores the checkout key. */
export const checkoutKeyName = (source: CheckoutSource): string => (source.kind === 'cart' ? 'cart' : source.product.id)

type SourceRequest = Pick<IntentRequest, 'amount' | 'productId' | 'quantity' | 'lines'>

/**
 * Request body: product and amount (in dollars) for a product with one fixed price, else lines. Prices are those the
 * buyer saw.
 */
export function sourceRequest(source: CheckoutSource): SourceRequest {
  if (source.kind === 'cart')
    return {
      lines: source.lines.map(({ variantId, quantity, unitPriceCents, seen }) => {
        const priceCents = unitPriceCents ?? seen?.priceCents
        return { variantId, quantity, ...(priceCents !== undefined && { unitPriceCents: priceCents }) }
      }),
    }
  const { product, variant, quantity } = source
  if (product.variants.length === 1 && variant.minimumCents === null)
    return { amount: (variant.priceCents * quantity) / 100, productId: product.id, quantity }
  return { lines: [{ variantId: variant.id, quantity, unitPriceCents: unitPriceCentsOf(source) }] }
}

const unitPriceCentsOf = ({ variant, unitPriceCents }: CheckoutSource & { kind: 'product' }): number =>
  unitPriceCents ?? variant.priceCents

/** Sum of the lines, to show until the order exists. */
export const sourceTotalCents = (source: CheckoutSource): number =>
  source.kind === 'cart'
    ? source.lines.reduce(
        (sum, { quantity, unitPriceCents, seen }) => sum + quantity * (unitPriceCents ?? seen?.priceCents ?? 0),
        0,
      )
    : unitPriceCentsOf(source) * source.quantity

/** Whether an order's lines have the variants and quantities of `source`. */
export function isSameOrder(
  source: CheckoutSource,
  lines: readonly { variantId: string; quantity: number }[],
): boolean {
  const expectedLines =
    source.kind === 'cart' ? source.lines : [{ variantId: source.variant.id, quantity: source.quantity }]
  return (
    expectedLines.length === lines.length &&
    expectedLines.every(({ variantId, quantity }) =>
      lines.some((line) => line.variantId === variantId && line.quantity === quantity),
    )
  )
}
