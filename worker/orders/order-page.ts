import { asc, eq, inArray } from 'drizzle-orm'
import { auditLog } from '../audit/audit.table'
import { type AdminOrderRecord, type Fulfilment, ORDER_EVENT_KINDS, type OrderEvent } from '../contract/orders'
import type { Db } from '../db/client'
import { ORDER_EMAIL_KINDS } from '../email/order-email-kinds'
import { outbox } from '../email/outbox.table'
import { type Millis, toIso } from '../lib/clock'
import { users } from '../users/users.table'
import { getAdminOrder } from './admin-orders'
import { customerOf } from './customers'
import { orderNotFoundError } from './orders'
import { orderRefunds, orders } from './orders.table'

/** An order's page in the dashboard. @throws AppError `not_found`. */
export async function readOrderPage(db: Db, id: string, at: Millis): Promise<AdminOrderRecord> {
  const [order, [buyer], events] = await Promise.all([
    getAdminOrder(db, id, at),
    db
      .select({ userId: orders.userId, username: users.username, email: orders.email })
      .from(orders)
      .leftJoin(users, eq(users.id, orders.userId))
      .where(eq(orders.id, id)),
    readEvents(db, id),
  ])
  if (!buyer) throw orderNotFoundError()
  return { ...order, events, customer: customerOf(id, buyer) }
}

type HistoryEvent = Omit<OrderEvent, 'at'> & { at: Millis | null }
const buildEvent = (kind: OrderEvent['kind'], at: Millis | null, amountCents: number | null = null): HistoryEvent => ({
  kind,
  at,
  actor: null,
  amountCents,
  note: null,
})

const KIND_BY_AUDIT_ACTION: Readonly<Record<string, OrderEvent['kind']>> = {
  'order.revealed': 'revealed',
  'order.refunded': 'refund_requested',
  'order.printed': 'printed',
}

/** The history of an order, from its timestamps, refunds, audit entries and emails. */
async function readEvents(db: Db, id: string): Promise<OrderEvent[]> {
  const [[order], refunds, actions, emails] = await db.batch([
    db.select().from(orders).where(eq(orders.id, id)),
    db.select().from(orderRefunds).where(eq(orderRefunds.orderId, id)),
    db
      .select({ action: auditLog.action, at: auditLog.at, detail: auditLog.detail, actor: users.username })
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actorId))
      .where(eq(auditLog.subject, `order:${id}`))
      .orderBy(asc(auditLog.id)),
    db
      .select({ kind: outbox.kind, sentAt: outbox.sentAt })
      .from(outbox)
      .where(
        inArray(
          outbox.dedupeKey,
          ORDER_EMAIL_KINDS.map((kind) => `${kind}:${id}`),
        ),
      ),
  ])
  if (!order) throw orderNotFoundError()
  const lastRefundSentAt = Math.max(order.refundSentAt ?? 0, ...refunds.map(({ sentAt }) => sentAt ?? 0))
  const events: HistoryEvent[] = [
    buildEvent('placed', order.createdAt),
    // The provider's times are whole seconds, which can be before the order was placed.
    buildEvent('paid', order.paidAt && Math.max(order.paidAt, order.createdAt), order.amountCents),
    buildEvent('address_added', order.addressAddedAt),
    ...actions.map(({ action, at, detail, actor }) => ({
      // All other actions change the fulfilment.
      kind: KIND_BY_AUDIT_ACTION[action] ?? (detail.fulfilment as Fulfilment),
      at,
      actor,
      amountCents: typeof detail.amountCents === 'number' ? detail.amountCents : null,
      note: typeof detail.reason === 'string' ? detail.reason : null,
    })),
    ...refunds.flatMap(({ sentAt, rejectedAt, amountCents }) => [
      buildEvent('refund_sent', sentAt, amountCents),
      buildEvent('refund_rejected', rejectedAt, amountCents),
    ]),
    // Without a request, `refundSentAt` is of a refund made at the provider: only the event `refunded` shows it.
    buildEvent('refund_sent', order.refundRequestedAt && order.refundSentAt),
    buildEvent('refund_rejected', order.refundRejectedAt),
    buildEvent('refunded', order.refundedAt && Math.max(order.refundedAt, lastRefundSentAt), order.refundedCents),
    buildEvent('disputed', order.disputedAt, order.disputedCents),
    buildEvent('dispute_won', order.disputeWonAt, order.disputedCents),
    ...emails.map(({ kind, sentAt }) => buildEvent(`email_${kind}` as OrderEvent['kind'], sentAt)),
  ]
  return events
    .flatMap(({ at, ...rest }) => (at === null || !ORDER_EVENT_KINDS.includes(rest.kind) ? [] : [{ at, ...rest }]))
    .sort((a, b) => a.at - b.at)
    .map(({ at, ...rest }) => ({ ...rest, at: toIso(at) }))
}
