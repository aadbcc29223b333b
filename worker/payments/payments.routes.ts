import { Hono } from 'hono'
import { productsApi, type TestPaymentOutcome } from '../contract/products'
import type { AppEnv } from '../http/app-env'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { AppError } from '../lib/app-error'
import { isUndeliverable } from '../orders/missing-address'
import { getOrder, orderNotFound } from '../orders/orders'
import { getPayments } from './payments.middleware'

export const paymentsRoutes = new Hono<AppEnv>()

paymentsRoutes.post(
  productsApi.confirmTestPayment.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(productsApi.confirmTestPayment),
  async (c) => {
    const testProvider = getPayments(c)?.testProvider
    // Where cards are charged, or none are taken, there is no such call.
    if (!testProvider) throw new AppError('not_found', 'There is nothing at this address.')
    const { clientSecret, ...attempt } = c.req.valid('json')
    const orderId = c.req.param('orderId')
    const { signingSecret } = c.var.config
    const order = await getOrder(c.var.db, { id: orderId, secret: clientSecret, signingSecret, at: c.var.now() })
    if (!order.test) throw orderNotFound()
    if (['pending', 'failed'].includes(order.status) && isUndeliverable(order, order.ships))
      throw new AppError('bad_input', 'Please give your email and where this goes to before you pay.')
    return c.json((await testProvider.confirm({ orderId, ...attempt })) satisfies TestPaymentOutcome)
  },
)

paymentsRoutes.post(productsApi.stripeWebhook.path, async (c) => {
  const services = getPayments(c)
  if (!services) throw new AppError('bad_input', 'That is not signed by the payment provider.')
  await services.handleWebhook({
    payload: await c.req.text(),
    signature: c.req.header('stripe-signature') ?? '',
    at: c.var.now(),
  })
  return c.body(null, 200)
})
