import { Hono } from 'hono'
import { ordersApi } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { unknownOrder } from './orders'

export const ordersRoutes = new Hono<AppEnv>()

ordersRoutes.get(ordersApi.order.path, () => {
  throw unknownOrder()
})

ordersRoutes.get(ordersApi.own.path, (c) => c.json([]))
