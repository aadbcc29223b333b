import { ADDRESS_MISSING, type AdminOrder } from '../../worker/contract/admin-orders'
import { FULFILMENT, type Fulfilment, ORDER_STATUSES, type OrderStatus } from '../../worker/contract/orders'

export const STATUS_WORDS: Record<OrderStatus, string> = {
  pending: 'Not paid yet',
  paid: 'Paid',
  failed: 'Declined',
  expired: 'Run out',
  refunded: 'Refunded',
}
export const FULFILMENT_WORDS: Record<Fulfilment, string> = {
  unfulfilled: 'To be packed',
  packed: 'Packed',
  shipped: 'Shipped',
  delivered: 'Delivered',
}
const REASONS = {
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
  ...ORDER_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] })),
]
export const fulfilmentOptions = FULFILMENT.map((value) => ({ value, label: FULFILMENT_WORDS[value] }))
/** The same to narrow the list by, with what cannot be sent. */
export const parcelOptions = [
  { value: '', label: 'Every parcel' },
  ...fulfilmentOptions,
  { value: ADDRESS_MISSING, label: 'Address missing' },
]

/** The state of an order, with why its money went back. */
export function stateOf({
  status,
  refundReason,
  refundRefused,
}: Pick<AdminOrder, 'status' | 'refundReason' | 'refundRefused'>): string {
  if (refundRefused) return `${STATUS_WORDS[status]}, refund refused`
  if (!refundReason) return STATUS_WORDS[status]
  return status === 'refunded' ? `Refunded, ${REASONS[refundReason]}` : `${STATUS_WORDS[status]}, refund under way`
}
