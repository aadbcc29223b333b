import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import type { IntentRequest, PaymentIntent } from '../../worker/contract/checkout'
import { buildOrder } from './order.fixture'
import { buildProduct } from './product.fixture'
import { type MockResponses, renderApp } from './render'
import { buildSite } from './site.fixture'
// Preloads lazy pages, because loading them may exceed the timeout of the queries.
import '../checkout/CheckoutPage'
import '../checkout/TestCard'
import '../orders/OrderPage'

export const CREATE_INTENT = 'POST /api/create-payment-intent'
export const CONFIRM_PAYMENT = 'POST /api/test-payments/o1/confirm'
const GET_ORDER = 'GET /api/orders/o1?client_secret=cs_1'
const clip = buildProduct({ id: 'clip', priceCents: 1999, isFeatured: true, ships: false, kind: 'digital' })

export const readIntentRequest = (request: Request) => request.clone().json() as Promise<IntentRequest>

/** Responds with a payment intent for the requested lines; a discount code takes $5 off. */
export async function respondWithIntent(request: Request, changes: Partial<PaymentIntent> = {}) {
  const { amount = 0, productId = 'hoodie', quantity = 1, lines, discountCode } = await readIntentRequest(request)
  const linesCents = lines
    ? lines.reduce((sum, line) => sum + (line.unitPriceCents ?? 0) * line.quantity, 0)
    : Math.round(amount * 100)
  const discountCents = discountCode ? 500 : 0
  const requestedLines = lines ?? [{ variantId: `${productId}-1`, quantity, unitPriceCents: linesCents / quantity }]
  const amountCents = changes.amountCents ?? linesCents - discountCents
  const available = changes.available ?? 5
  return Response.json({
    clientSecret: 'cs_1',
    orderId: 'o1',
    status: 'pending',
    amountCents,
    quantity: requestedLines.reduce((sum, line) => sum + line.quantity, 0),
    available,
    unitPriceCents: requestedLines[0]?.unitPriceCents ?? 0,
    discountCents,
    discountCode: discountCode || null,
    promotionCode: discountCode || null,
    discountNotice: null,
    lines: requestedLines.map(({ variantId, quantity, unitPriceCents }) => ({
      variantId,
      productId,
      productName: `The ${productId}`,
      variantName: '',
      imageUrl: '/media/a/b.webp',
      kind: productId === clip.id ? 'digital' : 'shipped',
      quantity,
      unitPriceCents: unitPriceCents ?? 0,
      available,
    })),
    shippingMethods: [],
    shippingMethodId: null,
    tax: null,
    taxLocationFields: null,
    breakdown: {
      linesCents,
      shippingCents: 0,
      taxCents: 0,
      taxIncluded: false,
      discountCents,
      totalCents: amountCents,
      currency: 'USD',
    },
    receiptUrl: null,
    reservedUntil: '2026-11-20T18:15:00Z',
    ...changes,
  } satisfies PaymentIntent)
}

export const renderCheckout = (path: string, responses: MockResponses = {}) =>
  renderApp(path, {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [clip, buildProduct()],
    [CREATE_INTENT]: respondWithIntent,
    [GET_ORDER]: buildOrder(),
    ...responses,
  })

/** The button with this name, once it is enabled. */
export const findPayButton = (name: string) =>
  waitFor(
    () => {
      const button = screen.getByRole<HTMLButtonElement>('button', { name })
      expect(button.disabled).toBe(false)
      return button
    },
    { timeout: 4000 },
  )

/** Parsed JSON bodies of the requests to an endpoint, by default the payment intent. */
export const requestBodies = (sent: string[], endpoint = CREATE_INTENT) =>
  sent.filter((request) => request.startsWith(endpoint)).map((request) => JSON.parse(request.slice(endpoint.length)))
