import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PREPARE_TIMEOUT_MS } from '../../worker/contract/checkout'
import { buildOrder } from '../testing/order.fixture'
import { buildProduct, buildSizeVariants } from '../testing/product.fixture'
import { changeField, errorResponse, type MockResponses } from '../testing/render'
import {
  CONFIRM_PAYMENT,
  CREATE_INTENT,
  findPayButton,
  readIntentRequest,
  renderCheckout,
  requestBodies,
  respondWithIntent,
} from '../testing/render-checkout'
import { buildSupporter } from '../testing/supporter.fixture'
import { saveBuyerDraft } from './buyer-draft'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  saveBuyerDraft(null)
})

/** Opens the checkout of a product without shipping and fills in the email. */
async function openCheckout(responses: MockResponses) {
  const app = await renderCheckout('/checkout?product=clip', responses)
  await screen.findByRole('radio', { name: /Gold card/ })
  changeField('Email', 'fan@example.com')
  return app
}

/** Responds to the second payment intent request with `respond`, and to others with an intent. */
function onSecondIntent(respond: (request: Request) => Response | Promise<Response>) {
  let requestCount = 0
  return (request: Request) => (++requestCount === 2 ? respond(request) : respondWithIntent(request))
}

test('shows missing fields and sends nothing more', async () => {
  const { sent } = await renderCheckout('/checkout')
  fireEvent.click(await findPayButton('Pay $89.00'))
  for (const message of [
    'Please enter a valid email address.',
    'The name is required.',
    'The street address is required.',
    'The city is required.',
    'The state is required.',
    'A ZIP code has five digits.',
  ])
    expect(await screen.findByText(message)).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(requestBodies(sent)).toHaveLength(1)
})

test('sends the address and shows the receipt after payment', async () => {
  const { sent, router } = await renderCheckout('/checkout', {
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
  })
  await screen.findByRole('radio', { name: /Gold card/ })
  for (const [label, value] of [
    ['Email', 'fan@example.com'],
    ['Full name', 'A Fan'],
    ['Street address', '1 Bay Street'],
    ['City', 'Tampa'],
    ['State', 'FL'],
    ['ZIP code', '33602'],
  ] as const)
    changeField(label, value)
  fireEvent.click(await findPayButton('Pay $89.00'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent)[1]).toMatchObject({
    email: 'fan@example.com',
    shippingAddress: {
      name: 'A Fan',
      line1: '1 Bay Street',
      city: 'Tampa',
      state: 'FL',
      postalCode: '33602',
      country: 'US',
    },
  })
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([{ clientSecret: 'cs_1', card: 'succeeds' }])
  expect(router.state.location.href).toBe('/orders/o1')
})

test('asks for country and state to tax a download', async () => {
  const taxLocationFields = { stateCountries: ['US'], postalCodeCountries: [] }
  const { sent } = await openCheckout({
    [CREATE_INTENT]: (request: Request) => respondWithIntent(request, { taxLocationFields }),
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByText('Choose your country: it decides the tax.')).toBeDefined()
  changeField('Country', 'US')
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByText('The state or province is required: it decides the tax.')).toBeDefined()
  expect(requestBodies(sent)).toHaveLength(1)
  changeField('State', 'FL')
  // This request adds the tax to the total, before anything is charged.
  await waitFor(() => expect(requestBodies(sent)).toHaveLength(2))
  expect(requestBodies(sent)[1].taxLocation).toEqual({ country: 'US', state: 'FL', postalCode: '' })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test('shows a decline and allows another attempt', async () => {
  const outcomes = [
    { outcome: 'declined', message: 'Your card was declined.' },
    { outcome: 'succeeded', message: null },
  ]
  const { sent } = await openCheckout({ [CONFIRM_PAYMENT]: () => Response.json(outcomes.shift()) })
  fireEvent.click(screen.getByRole('radio', { name: /Red card/ }))
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByText('Payment Failed')).toBeDefined()
  expect(screen.getAllByText('Your card was declined.').length).toBeGreaterThan(0)
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('fan@example.com')
  fireEvent.click(screen.getByRole('radio', { name: /Gold card/ }))
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM_PAYMENT).map(({ card }) => card)).toEqual(['declined', 'succeeds'])
})

test('two clicks on Pay charge once', async () => {
  let release = () => {}
  const { sent } = await openCheckout({
    [CONFIRM_PAYMENT]: () =>
      new Promise((resolve) => (release = () => resolve(Response.json({ outcome: 'succeeded', message: null })))),
  })
  const button = await findPayButton('Pay $19.99')
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByRole('button', { name: 'Processing' })).toBeDefined()
  await waitFor(() => expect(requestBodies(sent, CONFIRM_PAYMENT)).toHaveLength(1))
  release()
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toHaveLength(1)
})

test('the 3-D Secure test card asks for the bank’s confirmation', async () => {
  const { sent } = await openCheckout({
    [CONFIRM_PAYMENT]: async (request: Request) => {
      const { secondStep } = (await request.json()) as { secondStep?: string }
      if (!secondStep) return Response.json({ outcome: 'needs_second_step', message: null })
      return Response.json(
        secondStep === 'approve'
          ? { outcome: 'succeeded', message: null }
          : { outcome: 'declined', message: 'The second step was refused.' },
      )
    },
  })
  fireEvent.click(screen.getByRole('radio', { name: /Blue card/ }))
  fireEvent.click(await findPayButton('Pay $19.99'))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect((await screen.findAllByText('The second step was refused.')).length).toBeGreaterThan(0)
  fireEvent.click(await findPayButton('Pay $19.99'))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm the payment' }))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM_PAYMENT).map(({ secondStep }) => secondStep)).toEqual([
    undefined,
    'refuse',
    undefined,
    'approve',
  ])
})

test('does not charge an order that has been replaced', async () => {
  const { sent } = await openCheckout({
    [CREATE_INTENT]: onSecondIntent((request) => respondWithIntent(request, { clientSecret: 'cs_2', orderId: 'o2' })),
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect((await screen.findAllByText(/we started a new one/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
})

test('does not charge a total that has changed', async () => {
  const { sent } = await openCheckout({
    [CREATE_INTENT]: onSecondIntent((request) => respondWithIntent(request, { amountCents: 2499 })),
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect((await screen.findAllByText(/The total has changed/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
})

test('opens the receipt of an order paid in another tab', async () => {
  await openCheckout({ [CREATE_INTENT]: onSecondIntent(() => errorResponse(409, 'order_paid', 'This order is paid.')) })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test('does not charge for a removed product', async () => {
  let isRemoved = false
  const { sent } = await openCheckout({
    [CREATE_INTENT]: (request: Request) =>
      isRemoved ? errorResponse(404, 'not_found', 'That product does not exist.') : respondWithIntent(request),
  })
  const button = await findPayButton('Pay $19.99')
  isRemoved = true
  fireEvent.click(button)
  expect((await screen.findAllByText('That product does not exist.')).length).toBeGreaterThan(0)
  expect(await screen.findByText('Payment Failed')).toBeDefined()
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
})

test('times out and allows another attempt', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
  await openCheckout({
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
    [CREATE_INTENT]: onSecondIntent(
      (request) =>
        new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
    ),
  })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByText('Payment Failed', undefined, { timeout: 4000 })).toBeDefined()
  expect(timeoutSpy).toHaveBeenCalledWith(PREPARE_TIMEOUT_MS)
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test.each([
  ['conflict', 'This order was just changed in another tab. Please try again.'],
  ['sold_out', 'This is sold out.'],
  ['price_changed', 'The price has changed. Please refresh.'],
  ['too_many_reserved', 'At most 40 pieces can be reserved at a time. Please order fewer.'],
])('shows the server’s message for %s and charges nothing', async (code, message) => {
  const { sent, router } = await openCheckout({
    [CREATE_INTENT]: onSecondIntent(() => errorResponse(409, code, message)),
  })
  fireEvent.click(await findPayButton('Pay $19.99'))
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
  expect(router.state.location.pathname).toBe('/checkout')
})

const fillAddress = (country = 'US') => {
  for (const [label, value] of [
    ['Country', country],
    ['Full name', 'A Fan'],
    ['Street address', '1 Bay Street'],
    ['City', 'Tampa'],
    [country === 'US' ? 'State' : 'Region', 'FL'],
    [country === 'US' ? 'ZIP code' : 'Postal code', '33602'],
  ] as const)
    changeField(label, value)
}
const SHIPPING_METHODS = [
  { id: 'standard', name: 'Standard', priceCents: 1400 },
  { id: 'express', name: 'Express', priceCents: 2900 },
]

/** Responds with an intent, with shipping and included German tax once an address is known. */
async function respondWithShipping(request: Request) {
  const { shippingAddress, shippingMethodId = 'standard' } = await readIntentRequest(request)
  if (!shippingAddress && shippingMethodId === 'standard') return respondWithIntent(request)
  const shippingCents = shippingMethodId === 'express' ? 2900 : 1400
  const breakdown = {
    linesCents: 8900,
    shippingCents,
    taxCents: 1645,
    taxIncluded: true,
    discountCents: 0,
    totalCents: 8900 + shippingCents,
    currency: 'USD',
  }
  return respondWithIntent(request, {
    breakdown,
    tax: { name: 'VAT', ratePer100k: 19_000, isEstimate: false },
    amountCents: breakdown.totalCents,
    shippingMethods: SHIPPING_METHODS,
    shippingMethodId,
  })
}

test('updates delivery costs and tax when the address changes', async () => {
  await renderCheckout('/checkout', { [CREATE_INTENT]: respondWithShipping })
  await findPayButton('Pay $89.00')
  expect(screen.getByText('Enter your address to see how we can deliver.')).toBeDefined()
  fillAddress('DE')
  expect(await findPayButton('Pay $103.00')).toBeDefined()
  const change = 'Standard costs $14.00. The prices include $16.45 tax. The total is now $103.00.'
  expect(screen.getByText(change)).toBeDefined()
  expect(screen.getByText('Includes 19% VAT')).toBeDefined()
  expect(screen.getByText('$16.45')).toBeDefined()
  fireEvent.click(screen.getByRole('radio', { name: /Express/ }))
  expect(await findPayButton('Pay $118.00')).toBeDefined()
})

test('shows the server’s unserved-country error at the country field', async () => {
  const message = 'We do not ship to Japan yet.'
  const { sent } = await renderCheckout('/checkout', {
    [CREATE_INTENT]: onSecondIntent(() => errorResponse(400, 'unserved_country', message)),
  })
  await findPayButton('Pay $89.00')
  fillAddress('JP')
  expect(await screen.findByText(message)).toBeDefined()
  expect(screen.getByLabelText('Country').getAttribute('aria-invalid')).toBe('true')
  expect((screen.getByLabelText('City') as HTMLInputElement).value).toBe('Tampa')
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
})

test('charges nothing when the wallet fails; a second try pays', async () => {
  const { sent } = await openCheckout({ [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null } })
  fireEvent.click(screen.getByRole('button', { name: 'Pay with the test wallet' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Let it fail' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Payment FailedThe wallet could not pay/)
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Pay with the test wallet' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Approve' }))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test('completes a free order without a card', async () => {
  const free = { clientSecret: null, amountCents: 0 }
  const { sent, router } = await renderCheckout('/checkout?product=clip', {
    [CREATE_INTENT]: async (request: Request) => {
      const { email } = await readIntentRequest(request)
      return respondWithIntent(request, email ? { ...free, status: 'paid', receiptUrl: '/orders/o1?token=t1' } : free)
    },
    'GET /api/orders/o1?client_secret=t1': buildOrder({ amountCents: 0 }),
  })
  const button = await screen.findByRole('button', { name: 'Complete the free order' })
  changeField('Email', 'fan@example.com')
  fireEvent.click(button)
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM_PAYMENT)).toEqual([])
  expect(router.state.location.href).toBe('/orders/o1')
})

test('re-saves the chosen saved address after the payment', async () => {
  const shippingAddress = {
    name: 'A Fan',
    line1: '1 Bay Street',
    line2: '',
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  const { sent } = await renderCheckout('/checkout', {
    'GET /api/auth/status': buildSupporter(),
    'GET /api/account/addresses': [{ id: 'a1', shippingAddress }],
    'POST /api/account/addresses': [{ id: 'a1', shippingAddress }],
    [CONFIRM_PAYMENT]: { outcome: 'succeeded', message: null },
  })
  await findPayButton('Pay $89.00')
  fireEvent.click(await screen.findByRole('radio', { name: /^A Fan/ }))
  expect(screen.queryByLabelText('Street address')).toBeNull()
  fireEvent.click(await findPayButton('Pay $89.00'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent).at(-1)).toMatchObject({ shippingAddress })
  expect(requestBodies(sent, 'POST /api/account/addresses')).toEqual([{ shippingAddress }])
})

test('preserves the form’s values when the buyer changes the size', async () => {
  const hoodie = buildProduct({ variants: buildSizeVariants('hoodie', { S: 4, M: 3 }) })
  await renderCheckout('/checkout?product=hoodie&variant=hoodie-m', { 'GET /api/products': [hoodie] })
  await findPayButton('Pay $89.00')
  changeField('Email', 'fan@example.com')
  changeField('City', 'Ocala')
  fireEvent.click(screen.getByRole('button', { name: 'Change the size' }))
  fireEvent.click(await screen.findByRole('radio', { name: 'S' }))
  fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  await findPayButton('Pay $89.00')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('fan@example.com')
  expect((screen.getByLabelText('City') as HTMLInputElement).value).toBe('Ocala')
})

test('rejects an unserved country as soon as it is chosen', async () => {
  const zone = { name: 'Europe', kind: 'shipping', countries: ['DE'], fromCents: 1400, freeFromCents: null }
  await renderCheckout('/checkout', { 'GET /api/shop/destinations': { zones: [zone] } })
  await findPayButton('Pay $89.00')
  changeField('Country', 'JP')
  expect(await screen.findByText('We do not ship to Japan yet. Choose another country.')).toBeDefined()
  changeField('Country', 'DE')
  await waitFor(() => expect(screen.queryByText(/^We do not ship/)).toBeNull())
})
