import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PREPARE_TIMEOUT_MS } from '../../worker/contract/products'
import {
  CONFIRM,
  errorResponse,
  INTENT,
  payButton,
  prepareIntent,
  renderCheckout,
  requestBodies,
} from '../testing/checkout'
import type { MockResponses } from '../testing/render'

const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

/** Opens the checkout of something that is not sent, with the e-mail filled in. */
async function ready(farSide: MockResponses) {
  const app = await renderCheckout('/checkout?product=clip', farSide)
  await screen.findByRole('radio', { name: /Gold card/ })
  write('Email', 'fan@example.com')
  return app
}

test('what is missing is said beside its field, and nothing is sent', async () => {
  const { sent } = await renderCheckout('/checkout')
  fireEvent.click(await payButton('Pay $89.00'))
  for (const words of [
    'Please enter a valid email address.',
    'The name must not be empty.',
    'The street address must not be empty.',
    'The city must not be empty.',
    'The state must not be empty.',
    'A ZIP code has five digits.',
  ])
    expect(await screen.findByText(words)).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  expect(requestBodies(sent)).toHaveLength(1)
})

test('what is sent says where to, and the receipt stands once the server says that it is paid', async () => {
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
    write(label, value)
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

test('a decline is told in the provider’s words, loses nothing, and can be tried again', async () => {
  const outcomes = [
    { outcome: 'declined', message: 'Your card was declined.' },
    { outcome: 'succeeded', message: null },
  ]
  const { sent } = await ready({ [CONFIRM]: () => Response.json(outcomes.shift()) })
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

test('two clicks are one payment, and the button says that it is being made', async () => {
  let release = () => {}
  const { sent } = await ready({
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

test('the third card has a second step of its own', async () => {
  const { sent } = await ready({
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

test('an order that has run out meanwhile is not charged: a new one is shown first', async () => {
  let asked = 0
  const { sent } = await ready({
    [INTENT]: (request: Request) => {
      asked += 1
      return prepareIntent(request, asked === 2 ? { clientSecret: 'cs_2', orderId: 'o2' } : {})
    },
    [CONFIRM]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(/we have begun a new one/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('nobody is charged more than the button says: a total that moved meanwhile is shown first', async () => {
  let asked = 0
  const { sent } = await ready({
    [INTENT]: (request: Request) => {
      asked += 1
      return prepareIntent(request, asked === 2 ? { amountCents: 2499 } : {})
    },
    [CONFIRM]: { outcome: 'succeeded', message: null },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(/The total has changed/)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('an order that another tab has paid leads to its receipt', async () => {
  let asked = 0
  await ready({
    [INTENT]: (request: Request) => {
      asked += 1
      return asked === 2 ? errorResponse(409, 'order_paid', 'This order is paid.') : prepareIntent(request)
    },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test('a product that was taken down meanwhile is said to be gone, and nothing is charged', async () => {
  let asked = 0
  const { sent } = await ready({
    [INTENT]: (request: Request) => {
      asked += 1
      return asked === 1 ? prepareIntent(request) : errorResponse(404, 'not_found', 'That product does not exist.')
    },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText('That product does not exist.')).length).toBeGreaterThan(0)
  expect(await screen.findByText('Payment Failed')).toBeDefined()
  expect(requestBodies(sent, CONFIRM)).toEqual([])
})

test('a shop that never answers ends the wait with words, and the same payment can be tried again', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
  let asked = 0
  await ready({
    [CONFIRM]: { outcome: 'succeeded', message: null },
    [INTENT]: (request: Request) => {
      asked += 1
      if (asked !== 2) return prepareIntent(request)
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
    },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByText('Payment Failed', undefined, { timeout: 4000 })).toBeDefined()
  expect(patience).toHaveBeenCalledWith(PREPARE_TIMEOUT_MS)
  fireEvent.click(await payButton('Pay $19.99'))
  expect(await screen.findByRole('heading', { name: 'Purchase Successful' })).toBeDefined()
})

test.each([
  ['conflict', 'This order was just changed in another tab. Please try again.'],
  ['sold_out', 'This is sold out.'],
  ['price_changed', 'The price has changed. Please refresh.'],
  ['too_many_reserved', 'At most 40 pieces can be reserved at a time. Please order fewer.'],
])('a refusal that is no payment (%s) is said in its own words, and nothing is charged', async (code, words) => {
  let asked = 0
  const { sent, router } = await ready({
    [INTENT]: (request: Request) => {
      asked += 1
      return asked === 2 ? errorResponse(409, code, words) : prepareIntent(request)
    },
  })
  fireEvent.click(await payButton('Pay $19.99'))
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  expect(requestBodies(sent, CONFIRM)).toEqual([])
  expect(router.state.location.pathname).toBe('/checkout')
})
