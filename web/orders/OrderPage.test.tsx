import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildOrder } from '../testing/order.fixture'
import { renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { toast } from '../ui/toast'

const ORDER_REQUEST = 'GET /api/orders/o1?client_secret=cs_1'
const openOrder = (path: string, order: unknown) =>
  renderApp(path, {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [],
    [ORDER_REQUEST]: order,
  })
const RETURN_PATH = '/?purchase=success&order=o1&payment_intent=pi_1&payment_intent_client_secret=cs_1'
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, { timeout: 4000 })
const successToast = () => screen.queryByText('Thank you. Your receipt is on this page.')

beforeEach(() => {
  sessionStorage.clear()
  // Toasts outlive a test; this replaces and dismisses the last one.
  toast({ title: 'Nothing' }).dismiss()
})

test('polls the server instead of trusting the URL', async () => {
  let requestCount = 0
  const { router } = await openOrder('/orders/o1?client_secret=cs_1&purchase=success', () => {
    requestCount += 1
    return Response.json(buildOrder({ status: requestCount === 1 ? 'pending' : 'paid' }))
  })
  expect(await heading('Confirming your payment')).toBeDefined()
  expect(successToast()).toBeNull()
  expect(await heading('Purchase Successful')).toBeDefined()
  // The toast viewport is loaded with the first toast.
  await waitFor(() => expect(successToast()).not.toBeNull(), { timeout: 4000 })
  expect(router.state.location.href).toBe('/orders/o1')
})

test.each([
  ['paid', 'Thank you'],
  ['pending', 'Not paid yet'],
  ['failed', 'Payment Failed'],
  ['expired', 'This order has expired'],
  ['refunded', 'Refunded'],
] as const)('shows the status %s without a toast', async (status, title) => {
  await openOrder('/orders/o1?token=cs_1', buildOrder({ status }))
  expect(await heading(title)).toBeDefined()
  expect(successToast()).toBeNull()
})

test('keeps polling an expired order with a pending payment', async () => {
  let requestCount = 0
  await openOrder('/orders/o1?client_secret=cs_1&purchase=success', () => {
    requestCount += 1
    return Response.json(requestCount === 1 ? buildOrder({ status: 'expired', paidAt: null }) : buildOrder())
  })
  expect(await heading('Confirming your payment')).toBeDefined()
  expect(screen.queryByText(/nothing has been charged/i)).toBeNull()
  expect(await heading('Purchase Successful')).toBeDefined()
})

test('stops polling after a minute and restarts on request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { sent } = await openOrder(
    '/orders/o1?client_secret=cs_1&purchase=success',
    buildOrder({ status: 'expired', paidAt: null }),
  )
  for (let second = 0; second < 70; second++) await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole('heading', { level: 1, name: 'Still waiting' })).toBeDefined()
  expect(screen.queryByText(/nothing has been charged|Order again/i)).toBeNull()
  const requestCount = sent.length
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(sent.length).toBeGreaterThan(requestCount)
  vi.useRealTimers()
})

test.each(['pending', 'expired'] as const)('never claims that the %s order was not charged', async (status) => {
  await openOrder('/orders/o1?token=cs_1', buildOrder({ status, paidAt: null }))
  await screen.findByRole('link', { name: status === 'pending' ? 'Go to payment' : 'Order again' })
  expect(screen.queryByText(/nothing has been charged/i)).toBeNull()
})

test('asks for the missing address of a paid order', async () => {
  const orderWithoutAddress = buildOrder({
    addressMissing: true,
    message: 'We need a little more before we can ship this.',
  })
  const enteredAddress = {
    name: 'A Fan',
    line1: '1 Any Street',
    line2: '',
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
  }
  const shippingAddress = { ...enteredAddress, country: 'US' }
  let body: unknown
  await renderApp('/orders/o1?token=cs_1', {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [],
    [ORDER_REQUEST]: orderWithoutAddress,
    'POST /api/orders/o1/address': async (request: Request) => {
      body = await request.json()
      return Response.json(buildOrder({ shippingAddress }))
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Save the address' }))
  expect(await screen.findByText('The street address is required.')).toBeDefined()
  expect(screen.queryByLabelText('Email')).toBeNull()
  const labels = { name: 'Full name', line1: 'Street address', city: 'City', state: 'State', postalCode: 'ZIP code' }
  for (const [field, label] of Object.entries(labels))
    fireEvent.input(screen.getByLabelText(label), {
      target: { value: enteredAddress[field as keyof typeof enteredAddress] },
    })
  fireEvent.click(screen.getByRole('button', { name: 'Save the address' }))
  expect(await screen.findByText('1 Any Street')).toBeDefined()
  expect(screen.queryByRole('form', { name: 'What is missing' })).toBeNull()
  expect(body).toEqual({ clientSecret: 'cs_1', email: 'fan@example.com', shippingAddress })
})

test('shows the server’s message for a late payment', async () => {
  await openOrder(
    '/orders/o1?client_secret=cs_1&purchase=success',
    buildOrder({ status: 'refunded', message: 'It came too late, and goes back.' }),
  )
  expect(await heading('Refunded')).toBeDefined()
  expect(screen.getByText('It came too late, and goes back.')).toBeDefined()
  expect(successToast()).toBeNull()
})

test('moves the secret from the URL to session storage', async () => {
  const { router } = await openOrder('/orders/o1?client_secret=cs_1', buildOrder())
  await heading('Thank you')
  await waitFor(() => expect(router.state.location.href).toBe('/orders/o1'))
  expect(window.location.search).toBe('')
  const { sent } = await openOrder('/orders/o1', buildOrder())
  await heading('Thank you')
  expect(sent).toContain(ORDER_REQUEST)
})

test.each(['/orders/o1', '/orders/o1?purchase=success', '/orders/o1?client_secret=other&purchase=success'])(
  'shows no receipt at %s',
  async (path) => {
    await openOrder(path, buildOrder())
    expect(await heading('No receipt here')).toBeDefined()
    expect(successToast()).toBeNull()
  },
)

test('ignores a payment return without an order', async () => {
  const { router } = await renderApp('/?purchase=success', {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
  })
  await waitFor(() => expect(router.state.location.href).toBe('/'))
  expect(screen.queryByText('Purchase Successful')).toBeNull()
})

test('opens the receipt after a bank confirms the payment', async () => {
  await openOrder(`${RETURN_PATH}&redirect_status=succeeded`, buildOrder())
  expect(await heading('Purchase Successful')).toBeDefined()
})

test('offers another card after a bank declines the payment', async () => {
  await openOrder(`${RETURN_PATH}&redirect_status=failed`, buildOrder({ status: 'failed' }))
  expect(await heading('Payment Failed')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Try another card' }).getAttribute('href')).toBe(
    '/checkout?product=hoodie&quantity=1',
  )
})
