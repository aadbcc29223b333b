import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { buildOrder } from '../testing/order.fixture'
import { renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { toast } from '../ui/toast'

const SECRET = 'GET /api/orders/o1?client_secret=cs_1'
const open = (path: string, order: unknown) =>
  renderApp(path, {
    'GET /api/config': buildSite({ payments: 'test' }),
    'GET /api/auth/status': null,
    'GET /api/products': [],
    [SECRET]: order,
  })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, { timeout: 4000 })
const praise = () => screen.queryByText('Thank you. Your receipt is on this page.')

beforeEach(() => {
  sessionStorage.clear()
  // The one before stands for longer than a test.
  toast({ title: 'Nothing' }).dismiss()
})

test('the address of a purchase claims nothing: the page waits for the server’s word', async () => {
  let asked = 0
  const { router } = await open('/orders/o1?client_secret=cs_1&purchase=success', () => {
    asked += 1
    return Response.json(buildOrder({ status: asked === 1 ? 'pending' : 'paid' }))
  })
  expect(await heading('Confirming your payment')).toBeDefined()
  expect(praise()).toBeNull()
  expect(await heading('Purchase Successful')).toBeDefined()
  // The viewport's code is fetched with the first toast.
  await waitFor(() => expect(praise()).not.toBeNull(), { timeout: 4000 })
  expect(router.state.location.href).toBe('/orders/o1')
})

test.each([
  ['paid', 'Thank you'],
  ['pending', 'Not paid yet'],
  ['failed', 'Payment Failed'],
  ['expired', 'This order has run out'],
  ['refunded', 'Refunded'],
] as const)('an order that is %s says so, without a toast', async (status, title) => {
  await open('/orders/o1?token=cs_1', buildOrder({ status }))
  expect(await heading(title)).toBeDefined()
  expect(praise()).toBeNull()
})

test('a payment whose time ended while its word is on its way is waited for, and never said not to be charged', async () => {
  let asked = 0
  await open('/orders/o1?client_secret=cs_1&purchase=success', () => {
    asked += 1
    return Response.json(asked === 1 ? buildOrder({ status: 'expired', paidAt: null }) : buildOrder())
  })
  expect(await heading('Confirming your payment')).toBeDefined()
  expect(screen.queryByText(/nothing has been charged/i)).toBeNull()
  expect(await heading('Purchase Successful')).toBeDefined()
})

test('after a minute without a word the page says that it still waits, and asks again when told to', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { sent } = await open(
    '/orders/o1?client_secret=cs_1&purchase=success',
    buildOrder({ status: 'expired', paidAt: null }),
  )
  for (let second = 0; second < 70; second++) await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole('heading', { level: 1, name: 'Still waiting' })).toBeDefined()
  expect(screen.queryByText(/nothing has been charged|Order again/i)).toBeNull()
  const before = sent.length
  fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await act(() => vi.advanceTimersByTimeAsync(100))
  expect(sent.length).toBeGreaterThan(before)
  vi.useRealTimers()
})

test.each(['pending', 'expired'] as const)(
  'an order that is %s claims nothing about money that may be on its way',
  async (status) => {
    await open('/orders/o1?token=cs_1', buildOrder({ status, paidAt: null }))
    await screen.findByRole('link', { name: status === 'pending' ? 'To the payment' : 'Order again' })
    expect(screen.queryByText(/nothing has been charged/i)).toBeNull()
  },
)

test('a paid order without an address asks for it, keeps what is wrong on the form, and then says where it goes', async () => {
  const lacking = buildOrder({ addressMissing: true, message: 'Something is missing before we can send this.' })
  const given = { name: 'A Fan', line1: '1 Any Street', line2: '', city: 'Tampa', state: 'FL', postalCode: '33602' }
  const shippingAddress = { ...given, country: 'US' }
  let body: unknown
  await renderApp('/orders/o1?token=cs_1', {
    ...{ 'GET /api/config': buildSite({ payments: 'test' }), 'GET /api/auth/status': null, 'GET /api/products': [] },
    [SECRET]: lacking,
    'POST /api/orders/o1/address': (request: Request) =>
      request.json().then((json) => {
        body = json
        return Response.json(buildOrder({ shippingAddress }))
      }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Save the address' }))
  expect(await screen.findByText('The street address must not be empty.')).toBeDefined()
  expect(screen.queryByLabelText('Email')).toBeNull()
  const labels = { name: 'Full name', line1: 'Street address', city: 'City', state: 'State', postalCode: 'ZIP code' }
  for (const [field, label] of Object.entries(labels))
    fireEvent.input(screen.getByLabelText(label), { target: { value: given[field as keyof typeof given] } })
  fireEvent.click(screen.getByRole('button', { name: 'Save the address' }))
  expect(await screen.findByText('1 Any Street')).toBeDefined()
  expect(screen.queryByRole('form', { name: 'What is missing' })).toBeNull()
  expect(body).toEqual({ clientSecret: 'cs_1', email: 'fan@example.com', shippingAddress })
})

test('a payment that came too late tells the server’s sentence, and is no success', async () => {
  await open(
    '/orders/o1?client_secret=cs_1&purchase=success',
    buildOrder({ status: 'refunded', message: 'It came too late, and goes back.' }),
  )
  expect(await heading('Refunded')).toBeDefined()
  expect(screen.getByText('It came too late, and goes back.')).toBeDefined()
  expect(praise()).toBeNull()
})

test('the secret leaves the address, and a reload still finds the receipt', async () => {
  const { router } = await open('/orders/o1?client_secret=cs_1', buildOrder())
  await heading('Thank you')
  await waitFor(() => expect(router.state.location.href).toBe('/orders/o1'))
  expect(window.location.search).toBe('')
  const { sent } = await open('/orders/o1', buildOrder())
  await heading('Thank you')
  expect(sent).toContain(SECRET)
})

test.each(['/orders/o1', '/orders/o1?purchase=success', '/orders/o1?client_secret=other&purchase=success'])(
  '%s shows no receipt',
  async (path) => {
    await open(path, buildOrder())
    expect(await heading('No receipt here')).toBeDefined()
    expect(praise()).toBeNull()
  },
)

test('a typed return from a payment says nothing and is taken out of the address', async () => {
  const { router } = await renderApp('/?purchase=success', {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
  })
  await waitFor(() => expect(router.state.location.href).toBe('/'))
  expect(screen.queryByText('Purchase Successful')).toBeNull()
})

test('a bank that leads back opens the receipt; one that refused is told to have', async () => {
  const back = '/?purchase=success&order=o1&payment_intent=pi_1&payment_intent_client_secret=cs_1&redirect_status='
  await open(`${back}succeeded`, buildOrder())
  expect(await heading('Purchase Successful')).toBeDefined()
})

test('a bank that refused is said to have, and the order can still be paid', async () => {
  const back = '/?purchase=success&order=o1&payment_intent=pi_1&payment_intent_client_secret=cs_1&redirect_status='
  await open(`${back}failed`, buildOrder({ status: 'failed' }))
  expect(await heading('Payment Failed')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Try another card' }).getAttribute('href')).toBe(
    '/checkout?product=hoodie&quantity=1',
  )
})
