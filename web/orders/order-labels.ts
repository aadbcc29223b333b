import type { AdminOrder, Fulfilment, OrderStatus } from '../../worker/contract/orders'

export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Not paid yet',
  paid: 'Paid',
  failed: 'Declined',
  expired: 'Expired',
  refunded: 'Refunded',
}
export const FULFILMENT_LABELS: Record<Fulfilment, string> = {
  unfulfilled: 'To pack',
  packed: 'Packed',
  shipped: 'Shipped',
  delivered: 'Delivered',
}
const REFUND_REASON_LABELS = {
  late: 'paid too late',
  sold_out: 'sold out',
  amount: 'a different amount was paid',
  requested: 'by the team',
  disputed: 'disputed with the bank',
  elsewhere: 'at the provider',
} as const

/** The state of an order's payment and refund: 'Paid', 'Refunded, sold out'. */
export function orderStateLabel({
  status,
  refundReason,
  refundRefused,
}: Pick<AdminOrder, 'status' | 'refundReason' | 'refundRefused'>): string {
  if (refundRefused) return `${STATUS_LABELS[status]}, refund rejected`
  if (!refundReason) return STATUS_LABELS[status]
  return status === 'refunded'
    ? `Refunded, ${REFUND_REASON_LABELS[refundReason]}`
    : `${STATUS_LABELS[status]}, refund under way`
}
