import { Hono } from 'hono'
import { type AdminOrder, adminOrdersApi, type ParkedEvent, type PromotionCode } from '../contract/orders'
import type { AppEnv } from '../http/app-env'
import { parseListQuery, sendPage } from '../http/pagination'
import { validateBody } from '../http/validate'
import { requirePayments } from '../payments/payments.middleware'
import {
  dismissEvent,
  getAdminOrder,
  listOrders,
  listParkedEvents,
  revealBuyer,
  updateFulfilment,
} from './admin-orders'
import { refundLines } from './partial-refunds'
import { getCurrentPromotion, rotatePromotion } from './promotion-codes'
import { refundOrder } from './refunds'

export const adminOrdersRoutes = new Hono<AppEnv>()

adminOrdersRoutes.get(adminOrdersApi.orders.path, async (c) => {
  const { status = null, fulfilment = null } = c.req.query()
  return sendPage<AdminOrder>(
    c,
    await listOrders(c.var.db, { ...parseListQuery(c), status, fulfilment, at: c.var.now() }),
  )
})

adminOrdersRoutes.post(adminOrdersApi.reveal.path, async (c) => {
  const { userId: actorId } = await c.var.session.requireAdmin()
  return c.json(await revealBuyer(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() }))
})

adminOrdersRoutes.patch(
  adminOrdersApi.updateFulfilment.path,
  validateBody(adminOrdersApi.updateFulfilment),
  async (c) => {
    const { userId: actorId } = await c.var.session.requireAdmin()
    const { fulfilment, tracking } = c.req.valid('json')
    const update = { id: c.req.param('id'), fulfilment, tracking, actorId, at: c.var.now() }
    return c.json((await updateFulfilment(c.var.db, update)) satisfies AdminOrder)
  },
)

adminOrdersRoutes.post(adminOrdersApi.refund.path, validateBody(adminOrdersApi.refund), async (c) => {
  const { userId: actorId } = await c.var.session.requireAdmin()
  const id = c.req.param('id')
  const { db } = c.var
  const at = c.var.now()
  await getAdminOrder(db, id, at)
  const { payments } = requirePayments(c)
  const { reason, lines, shippingCents } = c.req.valid('json')
  await (lines === undefined && shippingCents === undefined
    ? refundOrder({ db, payments, at }, { id, actorId, reason })
    : refundLines({ db, payments, at }, { id, actorId, reason, lines: lines ?? [], shippingCents: shippingCents ?? 0 }))
  return c.json((await getAdminOrder(db, id, at)) satisfies AdminOrder)
})

adminOrdersRoutes.get(adminOrdersApi.promotionCode.path, async (c) =>
  c.json((await getCurrentPromotion(c.var.db)) satisfies PromotionCode | null),
)

adminOrdersRoutes.post(
  adminOrdersApi.rotatePromotionCode.path,
  validateBody(adminOrdersApi.rotatePromotionCode),
  async (c) => {
    const { userId: actorId } = await c.var.session.requireAdmin()
    const { code } = c.req.valid('json')
    return c.json((await rotatePromotion(c.var.db, { code, actorId, at: c.var.now() })) satisfies PromotionCode)
  },
)

adminOrdersRoutes.get(adminOrdersApi.parkedEvents.path, async (c) =>
  c.json((await listParkedEvents(c.var.db)) satisfies ParkedEvent[]),
)

adminOrdersRoutes.post(adminOrdersApi.dismissParkedEvent.path, async (c) => {
  const { userId: actorId } = await c.var.session.requireAdmin()
  await dismissEvent(c.var.db, { id: c.req.param('id'), actorId, at: c.var.now() })
  return c.body(null, 204)
})
