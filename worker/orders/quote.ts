import type { CartQuote } from '../contract/cart'
import type { IntentLine, QuoteRequest } from '../contract/checkout'
import type { Db } from '../db/client'
import type { DiscountUser } from '../discounts/discounts'
import type { Millis } from '../lib/clock'
import { variantsForSaleQuery } from '../products/products'
import { loadShop } from '../shop-settings/shop-settings'
import { priceOrder, type RequestedLine, toPricedLines } from './price-order'

/**
 * Prices a cart, or a single product, without reserving anything. Lines that are no longer sold and codes that do not
 * apply are omitted. The request's email is not used: a quote must not reveal what an address has bought.
 * @throws AppError `unserved_country`; `bad_input` for an incomplete tax location.
 */
export async function quoteCart(
  db: Db,
  request: QuoteRequest,
  { user, usesStripeTax, at }: { user: DiscountUser; usesStripeTax: boolean; at: Millis },
): Promise<CartQuote> {
  const {
    lines,
    productId,
    quantity = 1,
    shippingAddress,
    taxLocation,
    shippingMethodId,
    discountCode,
    promotionCode,
  } = request
  const shop = await loadShop(db, at)
  const sold = await variantsForSaleQuery(
    db,
    lines ? { variantIds: lines.map(({ variantId }) => variantId) } : { productId: productId ?? '' },
  )
  const requestedLines: Pick<IntentLine, 'variantId' | 'quantity' | 'unitPriceCents'>[] =
    lines ?? sold.slice(0, 1).map(({ variant }) => ({ variantId: variant.id, quantity }))
  const requested = requestedLines.flatMap((line): RequestedLine[] => {
    const found = sold.find(({ variant }) => variant.id === line.variantId)
    // It is no longer sold, or is sold on another site.
    if (found?.product.checkoutUrl !== '') return []
    const { priceCents, minimumCents } = found.variant
    const unitPriceCents =
      minimumCents === null ? priceCents : Math.max(minimumCents, line.unitPriceCents ?? priceCents)
    return [{ ...found, quantity: line.quantity, unitPriceCents }]
  })
  const priced = await priceOrder(db, requested, {
    shop,
    address: shippingAddress ?? null,
    taxLocation: taxLocation ?? null,
    methodId: shippingMethodId ?? null,
    typedCode: undefined,
    previousCode: discountCode ?? promotionCode ?? null,
    user,
    orderId: null,
    // Each calculation at the provider costs money, so only the checkout requests one.
    calculateTax: null,
    at,
  })
  const { breakdown, shippingMethods, shippingMethod } = priced
  return {
    lines: toPricedLines(
      priced.lines,
      requested.map(({ variant }) => variant.stock),
    ).map((line, index) => ({ ...line, minimumCents: requested[index]?.variant.minimumCents ?? null })),
    breakdown,
    tax: priced.tax && { ...priced.tax, isEstimate: priced.tax.isEstimate || usesStripeTax },
    shippingMethods,
    shippingMethodId: shippingMethod?.id ?? null,
    discountCode: priced.discountCode,
    discountNotice: priced.discountNotice,
  }
}
