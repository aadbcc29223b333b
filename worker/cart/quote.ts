import type { CartQuote } from '../contract/cart'
import type { IntentLine } from '../contract/checkout'
import type { Db } from '../db/client'
import { soldVariantsQuery } from '../products/products'

/** Current prices and stock of a cart, in its order. Reserves nothing. */
export async function quoteCart(db: Db, lines: readonly IntentLine[]): Promise<CartQuote> {
  const sold = await soldVariantsQuery(db, { variantIds: lines.map(({ variantId }) => variantId) })
  return {
    lines: lines.flatMap(({ variantId, quantity, unitPriceCents }) => {
      const found = sold.find(({ variant }) => variant.id === variantId)
      if (found?.product.checkoutUrl !== '') return []
      const { variant, product, imageUrl } = found
      const { priceCents, minimumCents, stock } = variant
      return {
        variantId,
        productId: product.id,
        productName: product.name,
        variantName: variant.name,
        imageUrl,
        kind: product.kind,
        quantity,
        unitPriceCents: minimumCents === null ? priceCents : Math.max(minimumCents, unitPriceCents ?? priceCents),
        available: stock,
        minimumCents,
      }
    }),
  }
}
