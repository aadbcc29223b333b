import { Hono } from 'hono'
import { type Order, type OwnOrder, ordersApi } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { limited } from '../http/rate-limit'
import { siteOrigin } from '../http/site-origin'
import { body } from '../http/validate'
import { addAddress } from './add-address'
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

ordersRoutes.post(ordersApi.addAddress.path, limited('LIMIT_WRITES'), body(ordersApi.addAddress), async (c) => {
  const { clientSecret: secret, ...given } = c.req.valid('json')
  const { db, config } = c.var
  const asked = { id: c.req.param('id'), secret, signingSecret: config.signingSecret, at: c.var.now() }
  await addAddress({ db, origin: siteOrigin(c) }, asked, given)
  return c.json((await orderFor(db, asked)) satisfies Order)
})

ordersRoutes.get(ordersApi.own.path, async (c) => {
  const { userId } = await c.var.session.supporter()
  const { signingSecret } = c.var.config
  const { list, next } = await ownOrders(c.var.db, { userId, cursor: c.req.query('cursor') ?? null, signingSecret })
  if (next !== null) c.header('link', `<${ordersApi.own.path}?cursor=${next}>; rel="next"`)
  return c.json(list satisfies OwnOrder[])
})
