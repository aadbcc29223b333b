import { Hono } from 'hono'
import { adminOrdersApi } from '../contract/admin-orders'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { Refused } from '../lib/refused'
import { unknownOrder } from './orders'

export const adminOrdersRoutes = new Hono<AppEnv>()

adminOrdersRoutes.get(adminOrdersApi.orders.path, (c) => c.json([]))
adminOrdersRoutes.get(adminOrdersApi.promotionCode.path, (c) => c.json(null))
adminOrdersRoutes.get(adminOrdersApi.parkedEvents.path, (c) => c.json([]))
adminOrdersRoutes.post(adminOrdersApi.reveal.path, () => {
  throw unknownOrder()
})
adminOrdersRoutes.patch(adminOrdersApi.fulfil.path, body(adminOrdersApi.fulfil), () => {
  throw unknownOrder()
})
adminOrdersRoutes.post(adminOrdersApi.refund.path, body(adminOrdersApi.refund), () => {
  throw unknownOrder()
})
adminOrdersRoutes.post(adminOrdersApi.rotatePromotionCode.path, body(adminOrdersApi.rotatePromotionCode), () => {
  throw new Refused('unavailable', 'Promotion codes cannot be changed yet.')
})
