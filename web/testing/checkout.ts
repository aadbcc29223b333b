import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import type { IntentRequest } from '../../worker/contract/checkout'
import { buildOrder } from './order.fixture'
import { buildProduct } from './product.fixture'
import { type MockResponses, renderApp } from './render'
import { buildSite } from './site.fixture'
// Preloads lazy pages, which could load for longer than a test waits.
import '../checkout/CheckoutPage'
import '../checkout/TestCard'
import '../orders/OrderPage'

export const INTENT = 'POST /api/create-payment-intent'
export const CONFIRM = 'POST /api/test-payments/o1/confirm'
const RECEIPT = 'GET /api/orders/o1?client_secret=cs_1'
const clip = buildProduct({ id: 'clip', priceCents: 1999, isFeatured: true, ships: false })

export const readIntentRequest = (request: Request) => request.clone().json() as Promise<IntentRequest>

/** Prepares a payment for any request, with $5 off for a promotion code. */
export async function prepareIntent(request: Request, changes = {}) {
  const { amount = 0, quantity = 1, promotionCode } = await readIntentRequest(request)
  const discountCents = promotionCode ? 500 : 0
  return Response.json({
    clientSecret: 'cs_1',
    orderId: 'o1',
    amountCents: Math.round(amount * 100) - discountCents,
    quantity,
    available: 5,
    unitPriceCents: Math.round((amount * 100) / quantity),
    discountCents,
    promotionCode: promotionCode ?? null,
    reservedUntil: '2026-11-20T18:15:00Z',
    ...changes,
  })
}

export const renderCheckout = (path: string, responses: MockResponses = {}) =>
  renderApp(path, {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [clip, buildProduct()],
    [INTENT]: prepareIntent,
    [RECEIPT]: buildOrder(),
    ...responses,
  })

/** Resolves once the button is enabled. */
export const payButton = (name: string) =>
  waitFor(
    () => {
      const button = screen.getByRole<HTMLButtonElement>('button', { name })
      expect(button.disabled).toBe(false)
      return button
    },
    { timeout: 4000 },
  )

/** Parsed JSON bodies of the requests to an endpoint, by default the payment intent. */
export const requestBodies = (sent: string[], endpoint = INTENT) =>
  sent.filter((line) => line.startsWith(endpoint)).map((line) => JSON.parse(line.slice(endpoint.length)))
