import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import type { PaymentRequest } from '../../worker/contract/products'
import { buildOrder } from './order.fixture'
import { buildProduct } from './product.fixture'
import { type MockResponses, renderApp } from './render'
import { buildSite } from './site.fixture'
// What the screen fetches lazily is here before a test waits for it.
import '../checkout/CheckoutPage'
import '../checkout/SecondStep'
import '../checkout/TestCard'
import '../orders/OrderPage'

export const INTENT = 'POST /api/create-payment-intent'
export const CONFIRM = 'POST /api/test-payments/o1/confirm'
const RECEIPT = 'GET /api/orders/o1?client_secret=cs_1'
const clip = buildProduct({ id: 'clip', priceCents: 1999, isFeatured: true, ships: false })
/** An answer of the server that refuses, with its code. */
export const errorResponse = (status: number, code: string, sentence: string, headers: Record<string, string> = {}) =>
  new Response(sentence, { status, headers: { 'x-error-code': code, ...headers } })

/** A server that prepares whatever is asked for, with $5 off for a code. */
export async function prepareIntent(request: Request, changes = {}) {
  const { amount, quantity = 1, promotionCode } = (await request.json()) as PaymentRequest
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

/** Opens the checkout against a server that answers, with what a test changes of it. */
export const renderCheckout = (path: string, farSide: MockResponses = {}) =>
  renderApp(path, {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [clip, buildProduct()],
    [INTENT]: prepareIntent,
    [RECEIPT]: buildOrder(),
    ...farSide,
  })
const WAIT = { timeout: 4000 }

/** The button, once it can be pressed. */
export const payButton = (name: string) =>
  waitFor(() => {
    const button = screen.getByRole<HTMLButtonElement>('button', { name })
    expect(button.disabled).toBe(false)
    return button
  }, WAIT)
/** What was sent in the bodies of one call. */
export const requestBodies = (sent: string[], key = INTENT) =>
  sent.filter((line) => line.startsWith(key)).map((line) => JSON.parse(line.slice(key.length)))
