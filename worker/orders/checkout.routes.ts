import { Hono } from 'hono'
import { ownCookie, setOwnCookie } from '../auth/cookies'
import { type PaymentIntent, shopApi } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { visitorAddress } from '../http/visitor-address'
import { Refused } from '../lib/refused'
import { sign } from '../lib/signature'
import { paymentsOf } from '../payments/payments.middleware'
import { quote } from '../shop/shop'
import { prepareCheckout, RESERVATION } from './checkout'
import { callOff } from './expiry'

export const checkoutRoutes = new Hono<AppEnv>()

/** Finds the buyer's open order again where the browser brings no key of its own: a second tab, a reload. */
const CHECKOUT_COOKIE = 'checkout'

checkoutRoutes.post(
  shopApi.createPaymentIntent.path,
  limited('LIMIT_WRITES'),
  body(shopApi.createPaymentIntent),
  async (c) => {
    const request = c.req.valid('json')
    const { db } = c.var
    const opened = paymentsOf(c)
    if (!opened) {
      const { amount, productId, quantity = 1 } = request
      await quote(db, { productId, quantity, amountDollars: amount })
      // What is wrong with the order is said first: it is the buyer's to mend, and this is not.
      throw new Refused('payments_off', 'Card payment is not set up on this site yet.')
    }
    const { payments, hear } = opened
    const at = c.var.now()
    const given = ownCookie(c, CHECKOUT_COOKIE)
    const { checkoutKey, ...intent } = await prepareCheckout({ db, payments, at }, request, {
      caller: await c.var.session.caller(),
      address: await sign(c.var.config.signingSecret, 'order-holder', visitorAddress(c)),
      checkoutKey: given !== undefined && /^[\w-]{22,64}$/.test(given) ? given : null,
    })
    setOwnCookie(c, CHECKOUT_COOKIE, checkoutKey, RESERVATION)
    // Whose time was over while this was made: their payments are called off behind the answer.
    c.executionCtx.waitUntil(callOff({ db, payments, hear, at }).catch(() => undefined))
    return c.json(intent satisfies PaymentIntent)
  },
)
