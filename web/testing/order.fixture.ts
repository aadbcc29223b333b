import type { Order } from '../../worker/contract/orders'

/** A paid order. */
export const buildOrder = (changes: Partial<Order> = {}): Order => ({
  id: 'o1',
  status: 'paid',
  message: null,
  productId: 'hoodie',
  productName: 'The hoodie',
  imageUrl: '/media/a/b.webp',
  ships: true,
  quantity: 1,
  unitPriceCents: 8900,
  discountCents: 0,
  amountCents: 8900,
  refundedCents: 0,
  createdAt: '2026-11-20T18:00:00Z',
  paidAt: '2026-11-20T18:01:00Z',
  reservedUntil: null,
  fulfilment: 'unfulfilled',
  tracking: '',
  email: 'fan@example.com',
  shippingAddress: null,
  addressMissing: false,
  test: true,
  ...changes,
})
