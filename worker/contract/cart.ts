import * as z from 'zod/mini'
import { MAX_ORDER_LINES, PricedOrderLine, QuoteRequest, quantity, ShippingAddress, ShippingMethod } from './checkout'
import { del, get, post, user, visitor } from './endpoint'
import { line } from './fields'
import { OrderTax, PriceBreakdown } from './pricing'

export const MAX_CART_LINES = MAX_ORDER_LINES
export const MAX_SAVED_ADDRESSES = 5

/** The buyer's price of a pay-what-you-want variant; else null. */
const chosenPrice = z.nullable(z.int().check(z.nonnegative(), z.maximum(1_000_000)))

export const CartLine = z.strictObject({
  variantId: line(64, 'The variant'),
  quantity,
  unitPriceCents: chosenPrice,
})
export type CartLine = z.infer<typeof CartLine>

/** In the order in which they were added. Of lines with the same variant the last counts. */
const CartLines = z.strictObject({
  lines: z.array(CartLine).check(z.maxLength(MAX_CART_LINES, `A cart has at most ${MAX_CART_LINES} lines.`)),
})
export const Cart = z.object({ lines: z.array(CartLine) })
export type Cart = z.infer<typeof Cart>

/** Current prices and stock, and the total. Lines whose variant is no longer sold are omitted. */
export const CartQuote = z.object({
  lines: z.array(
    z.extend(PricedOrderLine, {
      /** The lowest price that the buyer can choose; null for a fixed price. */
      minimumCents: z.nullable(z.int()),
    }),
  ),
  breakdown: PriceBreakdown,
  /** Null without tax. */
  tax: z.nullable(OrderTax),
  /** As in the payment intent: methods for the address, and pick-ups. */
  shippingMethods: z.array(ShippingMethod),
  shippingMethodId: z.nullable(z.string()),
  discountCode: z.nullable(z.string()),
  /** Why the code does not apply; null if it does, or without a code. */
  discountNotice: z.nullable(z.string()),
})
export type CartQuote = z.infer<typeof CartQuote>

export const cartApi = {
  quote: post('/api/cart/quote', QuoteRequest, CartQuote, {
    ...visitor,
    description: 'A chosen price below the minimum is raised to the minimum. 400 `unserved_country`.',
  }),
  cart: get('/api/account/cart', Cart, user),
  saveCart: post('/api/account/cart', CartLines, Cart, {
    ...user,
    description: "Replaces the account's cart. Variants that are no longer sold are left out.",
  }),
  mergeCart: post('/api/account/cart/merge', CartLines, Cart, {
    ...user,
    description:
      "Adds a browser's cart. A variant in both gets the larger quantity, at most the stock, but at least 1.",
  }),
}

export const SavedAddress = z.object({ id: z.string(), shippingAddress: ShippingAddress })
export type SavedAddress = z.infer<typeof SavedAddress>

export const addressesApi = {
  addresses: get('/api/account/addresses', z.array(SavedAddress), { ...user, description: 'The last used first.' }),
  saveAddress: post(
    '/api/account/addresses',
    z.strictObject({ shippingAddress: ShippingAddress }),
    z.array(SavedAddress),
    {
      ...user,
      description: `Saving an address again moves it to the front. 409 \`conflict\` for more than ${MAX_SAVED_ADDRESSES}.`,
    },
  ),
  deleteAddress: del('/api/account/addresses/:id', null, null, { ...user, description: '404 `not_found`.' }),
}
