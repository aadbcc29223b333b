import { Hono } from 'hono'
import { type AdminOrder, adminOrdersApi, type ParkedEvent, type PromotionCode } from '../contract/admin-orders'
import type { AppEnv } from '../http/app-env'
import { body } from '../http/validate'
import { mustHavePayments } from '../payments/payments.middleware'
import { allOrders, deskOrder, fulfil, parkedEvents, revealBuyer, seeEvent } from './desk'
import { currentPromotion, rotatePromotion } from './promotion-codes'
import { refundOrder } from './refunds'

export const adminOrdersRoutes = new Hono<AppEnv>()

adminOrdersRoutes.get(adminOrdersApi.orders.path, async (c) => {
  const asked = (name: string) => c.req.query(name) ?? null
  const filters = { q: asked('q'), status: asked('status'), fulfilment: asked('fulfilment') }
  const { list, next } = await allOrders(c.var.db, { ...filters, cursor: asked('cursor') })
  if (next !== null) {
    const given = Object.entries(filters).filter((filter): filter is [string, string] => filter[1] !== null)
    const query = new URLSearchParams([...given, ['cursor', next]])
    c.header('link', `<${adminOrdersApi.orders.path}?${query}>; rel="next"`)
  }
  return c.json(list satisfies AdminOrder[])
})

adminOrdersRoutes.post(adminOrdersApi.reveal.path, async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  return c.json(await revealBuyer(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() }))
})

adminOrdersRoutes.patch(adminOrdersApi.fulfil.path, body(adminOrdersApi.fulfil), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  const { fulfilment, tracking } = c.req.valid('json')
  const act = { id: c.req.param('id'), fulfilment, tracking, actorId, at: c.var.now() }
  return c.json((await fulfil(c.var.db, act)) satisfies AdminOrder)
})

adminOrdersRoutes.post(adminOrdersApi.refund.path, body(adminOrdersApi.refund), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  const id = c.req.param('id')
  const { db } = c.var
  await deskOrder(db, id)
  const { payments } = mustHavePayments(c)
  await refundOrder({ db, payments, at: c.var.now() }, { id, actorId, ...c.req.valid('json') })
  return c.json((await deskOrder(db, id)) satisfies AdminOrder)
})

adminOrdersRoutes.get(adminOrdersApi.promotionCode.path, async (c) =>
  c.json((await currentPromotion(c.var.db)) satisfies PromotionCode | null),
)

adminOrdersRoutes.post(adminOrdersApi.rotatePromotionCode.path, body(adminOrdersApi.rotatePromotionCode), async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  const { code } = c.req.valid('json')
  return c.json((await rotatePromotion(c.var.db, { code, actorId, at: c.var.now() })) satisfies PromotionCode)
})

adminOrdersRoutes.get(adminOrdersApi.parkedEvents.path, async (c) =>
  c.json((await parkedEvents(c.var.db)) satisfies ParkedEvent[]),
)

adminOrdersRoutes.post(adminOrdersApi.seeEvent.path, async (c) => {
  const { userId: actorId } = await c.var.session.administrator()
  await seeEvent(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() })
  return c.body(null, 204)
})
