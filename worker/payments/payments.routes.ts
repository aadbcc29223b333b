import { Hono } from 'hono'
import { shopApi } from '../contract/shop'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'

export const paymentsRoutes = new Hono<AppEnv>()

paymentsRoutes.post(shopApi.confirmTestPayment.path, body(shopApi.confirmTestPayment), () => {
  throw new Refused('not_found', 'There is nothing at this address.')
})

paymentsRoutes.post(shopApi.stripeWebhook.path, () => {
  throw new Refused('bad_input', 'That is not signed by the payment provider.')
})
