import * as z from 'zod/mini'
import { get, post } from './endpoint'
import { href, line } from './text'

export const Product = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Dollars, for the documented clients; `priceCents` is the truth. */
  price: z.number(),
  priceCents: z.int(),
  imageUrl: href,
  images: z.array(z.object({ url: href, alt: z.string() })),
  stock: z.int(),
  /** An external card-payment page; empty when the product is sold by /checkout. */
  checkoutUrl: z.string(),
  /** The one shown in the store section; the other products are linked beneath it. */
  isFeatured: z.boolean(),
})
export type Product = z.infer<typeof Product>

/** `amount` is dollars as the client computed them: compared with the server's price, never trusted (ruling 23). */
export const PaymentRequest = z.strictObject({
  amount: z.number().check(z.nonnegative(), z.maximum(1_000_000)),
  productId: line(64, 'The product'),
  quantity: z
    .int('The quantity must be a whole number.')
    .check(z.minimum(1, 'The quantity must be at least 1.'), z.maximum(99, 'The quantity must be at most 99.')),
})

export const PaymentIntent = z.object({ clientSecret: z.string(), orderId: z.string(), amountCents: z.int() })

export const shopApi = {
  products: get('/api/products', z.array(Product)),
  createPaymentIntent: post('/api/create-payment-intent', PaymentRequest, PaymentIntent),
}
