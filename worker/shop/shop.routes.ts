import { Hono } from 'hono'
import { type Product, shopApi } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { allProducts, quote } from './shop'

export const shopRoutes = new Hono<AppEnv>()

shopRoutes.get(shopApi.products.path, async (c) => c.json((await allProducts(c.var.db)) satisfies Product[]))

shopRoutes.post(
  shopApi.createPaymentIntent.path,
  limited('LIMIT_WRITES'),
  body(shopApi.createPaymentIntent),
  async (c) => {
    const { amount, productId, quantity = 1 } = c.req.valid('json')
    await quote(c.var.db, { productId, quantity, amountDollars: amount })
    // What is wrong with the order is said first: it is the buyer's to mend, and this is not.
    throw new Refused('payments_off', 'Card payment is not set up on this site yet.')
  },
)
