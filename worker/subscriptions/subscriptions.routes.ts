import { Hono } from 'hono'
import { subscriptionsApi } from '../contract/subscriptions'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'

export const subscriptionsRoutes = new Hono<AppEnv>()

const off = () => new Refused('subscriptions_off', 'Subscription payments will be available soon.')

subscriptionsRoutes.post(subscriptionsApi.checkout.path, body(subscriptionsApi.checkout), () => {
  throw off()
})
subscriptionsRoutes.post(subscriptionsApi.portal.path, () => {
  throw off()
})
subscriptionsRoutes.get(subscriptionsApi.status.path, () => {
  throw off()
})
