import { Hono } from 'hono'
import {
  type AdminOrder,
  type AdminOrderRecord,
  adminOrdersApi,
  type BroadcastCode,
  type Customer,
  type PackingSlip,
  type ParkedEvent,
  type ShipmentResult,
} from '../contract/orders'
import { type Sales, salesApi } from '../contract/sales'
import { readDayRange } from '../db/day-range'
import { getBroadcastCode, rotateBroadcastCode } from '../discounts/broadcast-code'
import type { AppEnv } from '../http/app-env'
import { actorOf, depsOf } from '../http/deps'
import { parseListQuery, sendPage } from '../http/pagination'
import { validateBody } from '../http/validate'
import { requirePayments } from '../payments/request-payments'
import {
  dismissEvent,
  getAdminOrder,
  listOrders,
  listParkedEvents,
  readPackingSlips,
  revealBuyer,
} from './admin-orders'
import { readCustomer } from './customers'
import { readOrderPage } from './order-page'
import { refundLines } from './partial-refunds'
import { refundOrder } from './refunds'
import { loadSales } from './sales'
import { shipOrders, updateFulfilment } from './shipments'

export const adminOrdersRoutes = new Hono<AppEnv>()

adminOrdersRoutes.get(adminOrdersApi.orders.path, async (c) => {
  return sendPage<AdminOrder>(c, await listOrders(c.var.db, parseListQuery(c), c.var.now()))
})

adminOrdersRoutes.get(adminOrdersApi.order.path, async (c) =>
  c.json((await readOrderPage(c.var.db, c.req.param('id'), c.var.now())) satisfies AdminOrderRecord),
)

adminOrdersRoutes.get(adminOrdersApi.customer.path, async (c) =>
  c.json((await readCustomer(c.var.db, c.req.param('orderId'), c.var.now())) satisfies Customer),
)

adminOrdersRoutes.post(adminOrdersApi.reveal.path, async (c) => {
  return c.json(await revealBuyer(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) }))
})

adminOrdersRoutes.patch(
  adminOrdersApi.updateFulfilment.path,
  validateBody(adminOrdersApi.updateFulfilment),
  async (c) => {
    const id = c.req.param('id')
    await updateFulfilment(depsOf(c), { ...c.req.valid('json'), id, ...(await actorOf(c)) })
    return c.json((await getAdminOrder(c.var.db, id, c.var.now())) satisfies AdminOrder)
  },
)

adminOrdersRoutes.post(adminOrdersApi.packingSlips.path, validateBody(adminOrdersApi.packingSlips), async (c) => {
  const ids = c.req.valid('json').orders
  return c.json((await readPackingSlips(c.var.db, { ids, ...(await actorOf(c)) })) satisfies PackingSlip[])
})

adminOrdersRoutes.post(adminOrdersApi.ship.path, validateBody(adminOrdersApi.ship), async (c) => {
  const shipments = c.req.valid('json').orders
  return c.json((await shipOrders(depsOf(c), { shipments, ...(await actorOf(c)) })) satisfies ShipmentResult[])
})

adminOrdersRoutes.post(adminOrdersApi.refund.path, validateBody(adminOrdersApi.refund), async (c) => {
  const { actorId, at } = await actorOf(c)
  const id = c.req.param('id')
  const { db } = c.var
  await getAdminOrder(db, id, at)
  const { payments } = requirePayments(c)
  const { reason, lines, shippingCents } = c.req.valid('json')
  await (lines === undefined && shippingCents === undefined
    ? refundOrder({ db, payments, at }, { id, actorId, reason })
    : refundLines({ db, payments, at }, { id, actorId, reason, lines: lines ?? [], shippingCents: shippingCents ?? 0 }))
  return c.json((await getAdminOrder(db, id, at)) satisfies AdminOrder)
})

adminOrdersRoutes.get(adminOrdersApi.broadcastCode.path, async (c) =>
  c.json((await getBroadcastCode(c.var.db)) satisfies BroadcastCode | null),
)

adminOrdersRoutes.post(
  adminOrdersApi.rotateBroadcastCode.path,
  validateBody(adminOrdersApi.rotateBroadcastCode),
  async (c) => {
    const { code } = c.req.valid('json')
    return c.json((await rotateBroadcastCode(c.var.db, { code, ...(await actorOf(c)) })) satisfies BroadcastCode)
  },
)

adminOrdersRoutes.get(adminOrdersApi.parkedEvents.path, async (c) =>
  c.json((await listParkedEvents(c.var.db)) satisfies ParkedEvent[]),
)

adminOrdersRoutes.post(adminOrdersApi.dismissParkedEvent.path, async (c) => {
  await dismissEvent(c.var.db, { id: c.req.param('id'), ...(await actorOf(c)) })
  return c.body(null, 204)
})

adminOrdersRoutes.get(salesApi.sales.path, async (c) => {
  const { db } = c.var
  return c.json((await loadSales(db, await readDayRange(db, c.req.query(), c.var.now()))) satisfies Sales)
})
