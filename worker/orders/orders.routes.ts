import { Hono } from 'hono'
import { type MyOrder, type Order, ordersApi } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { siteOrigin } from '../http/deps'
import { rateLimit } from '../http/rate-limit'
import { validateBody } from '../http/validate'
import { addAddress } from './add-address'
import { getOrder, listUserOrders } from './orders'

export const ordersRoutes = new Hono<AppEnv>()

ordersRoutes.get(ordersApi.order.path, async (c) => {
  const access = {
    id: c.req.param('id'),
    secret: c.req.query('client_secret') ?? '',
    signingSecret: c.var.config.signingSecret,
    at: c.var.now(),
  }
  return c.json((await getOrder(c.var.db, access)) satisfies Order)
})

ordersRoutes.post(
  ordersApi.addAddress.path,
  rateLimit('LIMIT_WRITES'),
  validateBody(ordersApi.addAddress),
  async (c) => {
    const { clientSecret: secret, ...address } = c.req.valid('json')
    const { db, config } = c.var
    const access = { id: c.req.param('id'), secret, signingSecret: config.signingSecret, at: c.var.now() }
    await addAddress({ db, origin: siteOrigin(c) }, access, address)
    return c.json((await getOrder(db, access)) satisfies Order)
  },
)

ordersRoutes.get(ordersApi.myOrders.path, async (c) => {
  const { userId } = await c.var.session.requireSupporter()
  const { signingSecret } = c.var.config
  const { list, next } = await listUserOrders(c.var.db, {
    userId,
    cursor: c.req.query('cursor') ?? null,
    signingSecret,
  })
  if (next !== null) c.header('link', `<${ordersApi.myOrders.path}?cursor=${next}>; rel="next"`)
  return c.json(list satisfies MyOrder[])
})
