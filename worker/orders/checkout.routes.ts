import { Hono } from 'hono'
import { readCookie, writeCookie } from '../auth/cookies'
import { type PaymentIntent, productsApi } from '../contract/products'
import type { AppEnv } from '../http/app-env'
import { clientIp, rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { sign } from '../lib/crypto'
import { getPayments } from '../payments/payments.middleware'
import { quoteCents } from '../products/products'
import { prepareCheckout, RESERVATION_MS } from './checkout'
import { cancelExpiredIntents } from './expiry'

export const checkoutRoutes = new Hono<AppEnv>()

/** Finds the buyer's open order again where the browser brings no key of its own: a second tab, a reload. */
const CHECKOUT_COOKIE = 'checkout'

checkoutRoutes.post(
  productsApi.createPaymentIntent.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(productsApi.createPaymentIntent),
  async (c) => {
    const request = c.req.valid('json')
    const { db } = c.var
    const services = getPayments(c)
    if (!services) {
      const { amount, productId, quantity = 1 } = request
      await quoteCents(db, { productId, quantity, amountDollars: amount })
      // What is wrong with the order is said first: it is the buyer's to mend, and this is not.
      throw new AppError('payments_off', 'Card payment is not set up on this site yet.')
    }
    const { payments, onPaymentEvent } = services
    const at = c.var.now()
    const cookieKey = readCookie(c, CHECKOUT_COOKIE)
    const { checkoutKey, ...intent } = await prepareCheckout({ db, payments, at }, request, {
      caller: await c.var.session.user(),
      ipHash: await sign(c.var.config.signingSecret, 'order-holder', clientIp(c)),
      checkoutKey: cookieKey !== undefined && /^[\w-]{22,64}$/.test(cookieKey) ? cookieKey : null,
    })
    writeCookie(c, CHECKOUT_COOKIE, checkoutKey, RESERVATION_MS)
    // Whose time was over while this was made: their payments are called off behind the answer.
    c.executionCtx.waitUntil(cancelExpiredIntents({ db, payments, onPaymentEvent, at }).catch(() => undefined))
    return c.json(intent satisfies PaymentIntent)
  },
)
