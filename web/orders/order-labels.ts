import {
  ADDRESS_MISSING,
  type AdminOrder,
  FULFILMENT,
  type Fulfilment,
  ORDER_STATUSES,
  type OrderStatus,
} from '../../worker/contract/orders'

export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Not paid yet',
  paid: 'Paid',
  failed: 'Declined',
  expired: 'Run out',
  refunded: 'Refunded',
}
export const FULFILMENT_LABELS: Record<Fulfilment, string> = {
  unfulfilled: 'To be packed',
  packed: 'Packed',
  shipped: 'Shipped',
  delivered: 'Delivered',
}
const REFUND_REASON_LABELS = {
  late: 'paid too late',
  sold_out: 'the last one was gone',
  amount: 'another sum was paid',
  requested: 'by the desk',
  disputed: 'disputed with the bank',
  elsewhere: 'at the provider',
} as const

/** Choices to narrow the list by, the first of which narrows nothing. */
export const statusOptions = [
  { value: '', label: 'Every state' },
  ...ORDER_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
]
export const fulfilmentOptions = FULFILMENT.map((value) => ({ value, label: FULFILMENT_LABELS[value] }))
/** The same to narrow the list by, with what cannot be sent. */
export const shipmentFilterOptions = [
  { value: '', label: 'Every parcel' },
  ...fulfilmentOptions,
  { value: ADDRESS_MISSING, label: 'Address missing' },
]

/** The state of an order, with why its money went back. */
export function orderStateLabel({
  status,
  refundReason,
  refundRefused,
}: Pick<AdminOrder, 'status' | 'refundReason' | 'refundRefused'>): string {
  if (refundRefused) return `${STATUS_LABELS[status]}, refund refused`
  if (!refundReason) return STATUS_LABELS[status]
  return status === 'refunded'
    ? `Refunded, ${REFUND_REASON_LABELS[refundReason]}`
    : `${STATUS_LABELS[status]}, refund under way`
}
