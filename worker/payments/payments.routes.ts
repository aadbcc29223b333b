import { Hono } from 'hono'
import { shopApi, type TestPaymentOutcome } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { orderFor, unknownOrder } from '../orders/orders'
import { nowhereToGo } from '../orders/unaddressed'
import { paymentsOf } from './payments.middleware'

export const paymentsRoutes = new Hono<AppEnv>()

paymentsRoutes.post(
  shopApi.confirmTestPayment.path,
  limited('LIMIT_WRITES'),
  body(shopApi.confirmTestPayment),
  async (c) => {
    const test = paymentsOf(c)?.test
    // Where cards are charged, or none are taken, there is no such call.
    if (!test) throw new Refused('not_found', 'There is nothing at this address.')
    const { clientSecret, ...attempt } = c.req.valid('json')
    const orderId = c.req.param('orderId')
    const { signingSecret } = c.var.config
    const order = await orderFor(c.var.db, { id: orderId, secret: clientSecret, signingSecret, at: c.var.now() })
    if (!order.test) throw unknownOrder()
    if (['pending', 'failed'].includes(order.status) && nowhereToGo(order, order.ships))
      throw new Refused('bad_input', 'Please give your email and where this goes to before you pay.')
    return c.json((await test.confirm({ orderId, ...attempt })) satisfies TestPaymentOutcome)
  },
)

paymentsRoutes.post(shopApi.stripeWebhook.path, async (c) => {
  const opened = paymentsOf(c)
  if (!opened) throw new Refused('bad_input', 'That is not signed by the payment provider.')
  await opened.receive({
    payload: await c.req.text(),
    signature: c.req.header('stripe-signature') ?? '',
    at: c.var.now(),
  })
  return c.body(null, 200)
})
