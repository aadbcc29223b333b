import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PREPARE_TIMEOUT_MS } from '../../worker/contract/checkout'
import { CONFIRM, INTENT, payButton, prepareIntent, renderCheckout, requestBodies } from '../testing/checkout'
import { changeField, errorResponse, type MockResponses } from '../testing/render'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

/** Opens the checkout of a product without shipping and fills in the email. */
async function openCheckout(responses: MockResponses) {
  const app = await renderCheckout('/checkout?product=clip', responses)
  await screen.findByRole('radio', { name: /Gold card/ })
  changeField('Email', 'fan@example.com')
  return app
}

/** Responds to the second request for an intent with `respond`, and prepares an intent for the others. */
function onSecondIntent(respond: (request: Request) => Response | Promise<Response>) {
  let requestCount = 0
  return (request: Request) => (++requestCount === 2 ? respond(request) : prepareIntent(request))
}

test('shows missing fields and sends nothing', async () => {
  const { sent } = await renderCheckout('/checkout')
  fireEvent.click(await payButton('Pay $89.00'))
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

test('sends the address and shows the receipt once paid', async () => {
  const { sent, router } = await renderCheckout('/checkout', { [CONFIRM]: { outcome: 'succeeded', message: null } })
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
  fireEvent.click(await payButton('Pay $89.00'))
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
  expect(requestBodies(sent, CONFIRM)).toEqual([{ clientSecret: 'cs_1', card: 'succeeds' }])
  expect(router.state.location.href).toBe('/orders/o1')
})

test('shows a decline and allows another attempt', async () => {
  const outcomes = [
    { outcome: 'declined', message: 'Your card was declined.' },
    { outcome: 'succeeded', message: null },
  ]
  const { sent } = await openCheckout({ [CONFIRM]: () => Response.json(outcomes.shift()) })
  fireEvent.click(screen.getByRole('radio', { name: /Red card/ }))
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByText('Payment Failed')).toBeDefined()
  expect(screen.getAllByText('Your card was declined.').length).toBeGreaterThan(0)
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('fan@example.com')
  fireEvent.click(screen.getByRole('radio', { name: /Gold card/ }))
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM).map(({ card }) => card)).toEqual(['declined', 'succeeds'])
})

test('pays once for two clicks', async () => {
  let release = () => {}
  const { sent } = await openCheckout({
    [CONFIRM]: () =>
      new Promise((resolve) => (release = () => resolve(Response.json({ outcome: 'succeeded', message: null })))),
  })
  const button = await payButton('Pay $19.99')
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByRole('button', { name: 'Processing' })).toBeDefined()
  await waitFor(() => expect(requestBodies(sent, CONFIRM)).toHaveLength(1))
  release()
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM)).toHaveLength(1)
})

test('asks for the second step of the blue card', async () => {
  const { sent } = await openCheckout({
    [CONFIRM]: async (request: Request) => {
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
  fireEvent.click(await payButton('Pay $19.99'))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect((await screen.findAllByText('The second step was refused.')).length).toBeGreaterThan(0)
  fireEvent.click(await payButton('Pay $19.99'))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm the payment' }))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
  expect(requestBodies(sent, CONFIRM).map(({ secondStep }) => secondStep)).toEqual([
    undefined,
    'refuse',
    undefined,
    'approve',
  ])
})

test('does not charge an order that has been replaced', async () => {
  const { sent } = await openCheckout({
    [INTENT]: onSecondIntent((request) => prepareIntent(request, { clientSecret: 'cs_2', orderId: 'o2' })),
    [CONFIRM]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(/we started a new one/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('does not charge a total that has changed', async () => {
  const { sent } = await openCheckout({
    [INTENT]: onSecondIntent((request) => prepareIntent(request, { amountCents: 2499 })),
    [CONFIRM]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(/The total has changed/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('opens the receipt of an order paid in another tab', async () => {
  await openCheckout({ [INTENT]: onSecondIntent(() => errorResponse(409, 'order_paid', 'This order is paid.')) })
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test('does not charge for a removed product', async () => {
  let isRemoved = false
  const { sent } = await openCheckout({
    [INTENT]: (request: Request) =>
      isRemoved ? errorResponse(404, 'not_found', 'That product does not exist.') : prepareIntent(request),
  })
  const button = await payButton('Pay $19.99')
  isRemoved = true
  fireEvent.click(button)
  expect((await screen.findAllByText('That product does not exist.')).length).toBeGreaterThan(0)
  expect(await screen.findByText('Payment Failed')).toBeDefined()
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('times out and allows another attempt', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const timeoutSpy = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
  await openCheckout({
    [CONFIRM]: { outcome: 'succeeded', message: null },
    [INTENT]: onSecondIntent(
      (request) =>
        new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
    ),
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByText('Payment Failed', undefined, { timeout: 4000 })).toBeDefined()
  expect(timeoutSpy).toHaveBeenCalledWith(PREPARE_TIMEOUT_MS)
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test.each([
  ['conflict', 'This order was just changed in another tab. Please try again.'],
  ['sold_out', 'This is sold out.'],
  ['price_changed', 'The price has changed. Please refresh.'],
  ['too_many_reserved', 'At most 40 pieces can be reserved at a time. Please order fewer.'],
])('shows the server’s message for %s and charges nothing', async (code, message) => {
  const { sent, router } = await openCheckout({ [INTENT]: onSecondIntent(() => errorResponse(409, code, message)) })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
  expect(router.state.location.pathname).toBe('/checkout')
})
