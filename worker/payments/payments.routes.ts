import { Hono } from 'hono'
import { checkoutApi } from '../contract/checkout'
import type { AppEnv } from '../http/app-env'
import { AppError } from '../lib/app-error'
import { getPayments } from './request-payments'

export const paymentsRoutes = new Hono<AppEnv>()

paymentsRoutes.post(checkoutApi.stripeWebhook.path, async (c) => {
  const services = getPayments(c)
  if (!services) throw new AppError('bad_input', 'Card payment is not set up on this site yet.')
  await services.handleWebhook({
    payload: await c.req.text(),
    signature: c.req.header('stripe-signature') ?? '',
    at: c.var.now(),
  })
  return c.body(null, 200)
})
