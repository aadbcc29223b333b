import type { Order, OrderLine } from '../../worker/contract/orders'

/** One hoodie. */
export const buildOrderLine = (changes: Partial<OrderLine> = {}): OrderLine => ({
  id: 'o1-1',
  productId: 'hoodie',
  variantId: 'hoodie-1',
  productName: 'The hoodie',
  variantName: '',
  imageUrl: '/media/a/b.webp',
  kind: 'shipped',
  quantity: 1,
  unitPriceCents: 8900,
  discountCents: 0,
  taxCents: 0,
  refundedQuantity: 0,
  refundedCents: 0,
  releasesAt: null,
  ...changes,
})

export const buildBreakdown = (changes: Partial<Order['breakdown']> = {}): Order['breakdown'] => ({
  linesCents: 8900,
  shippingCents: 0,
  taxCents: 0,
  taxIncluded: false,
  discountCents: 0,
  totalCents: 8900,
  currency: 'USD',
  ...changes,
})

/** A paid order. */
export const buildOrder = (changes: Partial<Order> = {}): Order => ({
  id: 'o1',
  status: 'paid',
  message: null,
  lines: [buildOrderLine()],
  breakdown: buildBreakdown(),
  shippingMethod: null,
  discountCode: null,
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
  carrier: '',
  tracking: '',
  email: 'fan@example.com',
  shippingAddress: null,
  addressMissing: false,
  test: true,
  ...changes,
})
