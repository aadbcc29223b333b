import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { UNFULFILLABLE_REASONS } from '../contract/orders'
import { taxLabel } from '../contract/pricing'
import { formatDayInZone } from '../contract/zoned-time'
import { enqueueWithinQuotas, type FormUser, requestedEmailQuotas } from '../email/email-quotas'
import { type Email, enqueueEmail } from '../email/outbox'
import { type EmailDetail, renderEmail } from '../email/render-email'
import type { Millis } from '../lib/clock'
import { formatPrice } from '../lib/price'
import type { EventDeps } from '../payments/payments'
import { variantTitle } from '../products/products'
import { siteQuery } from '../site/site'
import { orderMessage, receiptPath, toOrderTax } from './orders'
import { orderLines, orders } from './orders.table'

type BuyerEmailsInput = {
  orderId: string
  at: Millis
  /** Date on the receipt if the order has no `paidAt` yet. */
  paidAt: Millis
  /** Address for an order that has none yet; the same batch stores it. */
  email?: string | undefined
  /** The buyer of a free order, whose emails count towards the quotas of this account and network. */
  requestedBy?: FormUser
}

/**
 * Statements that enqueue the buyer's emails, for the batch that changes the order; none without an address. Each
 * depends on the status after the change, so at most one is enqueued, and only once however often the batch runs.
 */
export async function buyerEmails(
  { db, secret, origin }: Pick<EventDeps, 'db' | 'secret' | 'origin'>,
  { orderId, at, paidAt, email, requestedBy }: BuyerEmailsInput,
): Promise<D1PreparedStatement[]> {
  const [[order], lines, [site]] = await db.batch([
    db.select().from(orders).where(eq(orders.id, orderId)),
    db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(asc(orderLines.position)),
    siteQuery(db),
  ])
  const to = order?.email ?? email
  if (!order || !to || !site) return []
  const common = {
    siteName: site.name,
    orderId: order.id,
    currency: order.currency,
    lines: lines.map(({ productName, variantName, quantity, unitPriceCents }) => ({
      name: variantTitle(productName, variantName),
      quantity,
      amountCents: quantity * unitPriceCents,
    })),
    extras: extraItems(order),
    totalCents: order.amountCents,
    url: `${origin}${await receiptPath(secret, order.id)}`,
    isTest: order.isTest,
  }
  const quotas = requestedBy && (await requestedEmailQuotas({ db, secret }, to, requestedBy))
  const enqueue = (message: Email, condition: SQL): D1PreparedStatement[] => {
    const options = {
      to,
      email: message,
      dedupeKey: `${message.kind}:${order.id}`,
      at,
      when: sql`EXISTS (SELECT 1 FROM orders WHERE id = ${order.id} AND email IS NOT NULL AND ${condition})`,
    }
    return quotas ? enqueueWithinQuotas(db, { ...options, quotas }) : [enqueueEmail(db, options)]
  }
  const refund = (state: Pick<typeof order, 'status' | 'refundReason'>) =>
    refundEmail({
      ...common,
      paidOtherAmount: state.refundReason === 'amount',
      reason: orderMessage({ ...order, refundRejectedAt: null, ...state }) ?? 'Your order has been refunded.',
    })
  return [
    ...enqueue(
      receiptEmail({ ...common, paidAt: order.paidAt ?? paidAt, timeZone: site.timeZone }),
      sql`status = 'paid'`,
    ),
    ...UNFULFILLABLE_REASONS.flatMap((refundReason) =>
      enqueue(
        refund({ status: 'expired', refundReason }),
        sql`refund_reason = ${refundReason} AND (status = 'refunded' OR (status = 'expired' AND refund_wanted_at IS NOT NULL))`,
      ),
    ),
    // In a dispute the bank informs its customer.
    ...enqueue(
      refund({ status: 'refunded', refundReason: 'requested' }),
      sql`status = 'refunded' AND refunded_cents > 0
        AND coalesce(refund_reason, '') NOT IN ${['disputed', ...UNFULFILLABLE_REASONS]}`,
    ),
  ]
}

/** Items of a receipt after the products. */
function extraItems(order: typeof orders.$inferSelect) {
  const { discountCents, promotionCode, shippingMethod, shippingCents, taxCents, taxIncluded } = order
  return [
    ...(discountCents > 0 ? [{ label: `Code ${promotionCode ?? ''}`.trim(), amountCents: -discountCents }] : []),
    ...(shippingMethod ? [{ label: shippingMethod.name, amountCents: shippingCents }] : []),
    ...(taxCents > 0 ? [{ label: taxLabel(toOrderTax(order), taxIncluded), amountCents: taxCents }] : []),
  ]
}

type Receipt = {
  siteName: string
  orderId: string
  lines: readonly { name: string; quantity: number; amountCents: number }[]
  /** ISO 4217. */
  currency: string
  /** Items after the products: a discount, as a negative amount, shipping and tax. */
  extras?: readonly { label: string; amountCents: number }[]
  totalCents: number
  paidAt: Millis
  timeZone: string
  /** The order's page. */
  url: string
  /** No card was charged: the demo's payments, or the provider's test mode. */
  isTest: boolean
}

export function receiptEmail(receipt: Receipt): Email {
  const { siteName, paidAt, timeZone, totalCents, currency, isTest } = receipt
  return renderEmail({
    kind: 'receipt',
    subject: `Your order from ${siteName}`,
    from: siteName,
    paragraphs: ['Thank you. Your order is paid, and we are getting it ready.'],
    details: [
      ...lineItems(receipt),
      { label: 'Paid', value: formatPrice(totalCents, currency), strong: true },
      { label: 'Order', value: receipt.orderId },
      { label: 'Date', value: formatDayInZone(paidAt, timeZone) },
    ],
    action: orderLink(receipt),
    smallPrint: isTest ? ['This was a test payment: no card was charged and nothing will ship.'] : [],
  })
}

type Refund = Omit<Receipt, 'paidAt' | 'timeZone'> & {
  /** Text that explains the refund. */
  reason: string
  /** The amount paid may not be the total, so the email names no amount. */
  paidOtherAmount?: boolean
}

export function refundEmail(refund: Refund): Email {
  const { siteName, reason, paidOtherAmount = false, totalCents, currency, orderId, isTest } = refund
  return renderEmail({
    kind: 'refund',
    subject: `Your refund from ${siteName}`,
    from: siteName,
    paragraphs: [reason],
    details: [
      ...lineItems(refund),
      ...(paidOtherAmount
        ? []
        : [{ label: 'Back to your card', value: formatPrice(totalCents, currency), strong: true }]),
      { label: 'Order', value: orderId },
    ],
    action: orderLink(refund),
    smallPrint: [
      isTest
        ? 'This was a test payment: no card was charged.'
        : 'It can take up to ten days to appear on your statement.',
    ],
  })
}

type ShippedOrder = Pick<Receipt, 'siteName' | 'orderId' | 'url' | 'isTest'> & {
  items: readonly { name: string; quantity: number }[]
  /** Empty if unknown, like the tracking number. */
  carrier: string
  tracking: string
  /** Handed over at a show. */
  isPickup: boolean
}

export function shippedEmail({ items, carrier, tracking, isPickup, isTest, ...order }: ShippedOrder): Email {
  return renderEmail({
    kind: 'shipped',
    subject: `Your order from ${order.siteName} is ${isPickup ? 'packed' : 'on its way'}`,
    from: order.siteName,
    paragraphs: [
      isPickup ? 'Your order is packed. We’ll bring it to the show.' : 'Good news: your order is on its way to you.',
    ],
    details: [
      {
        label: items.length === 1 ? 'Item' : 'Items',
        value: items.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', '),
      },
      ...(carrier === '' ? [] : [{ label: 'Carrier', value: carrier }]),
      ...(tracking === '' ? [] : [{ label: 'Tracking', value: tracking, strong: true }]),
      { label: 'Order', value: order.orderId },
    ],
    action: orderLink(order),
    smallPrint: isTest ? ['This was a test order: nothing was sent.'] : [],
  })
}

const lineItems = ({ lines, extras = [], currency }: Pick<Receipt, 'lines' | 'extras' | 'currency'>): EmailDetail[] => [
  ...lines.map(({ name, quantity, amountCents }) => ({
    label: quantity === 1 ? name : `${quantity} × ${name}`,
    value: formatPrice(amountCents, currency),
  })),
  ...extras.map(({ label, amountCents }) => ({ label, value: formatPrice(amountCents, currency) })),
]

const orderLink = ({ url }: Pick<Receipt, 'url'>) => ({ label: 'See your order', url })
