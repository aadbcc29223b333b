import { Hono } from 'hono'
import { type Order, type OwnOrder, ordersApi } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { orderFor, ownOrders } from './orders'

export const ordersRoutes = new Hono<AppEnv>()

ordersRoutes.get(ordersApi.order.path, async (c) => {
  const asked = {
    id: c.req.param('id'),
    secret: c.req.query('client_secret') ?? '',
    signingSecret: c.var.config.signingSecret,
    at: c.var.now(),
  }
  return c.json((await orderFor(c.var.db, asked)) satisfies Order)
})

ordersRoutes.get(ordersApi.own.path, async (c) => {
  const { userId } = await c.var.session.supporter()
  const { signingSecret } = c.var.config
  const { list, next } = await ownOrders(c.var.db, { userId, cursor: c.req.query('cursor') ?? null, signingSecret })
  if (next !== null) c.header('link', `<${ordersApi.own.path}?cursor=${next}>; rel="next"`)
  return c.json(list satisfies OwnOrder[])
})
