import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminOrder } from '../../worker/contract/orders'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { OrdersTab } from './OrdersTab'

const paid: AdminOrder = {
  id: 'o1',
  status: 'paid',
  refundReason: null,
  refundRefused: false,
  fulfilment: 'unfulfilled',
  tracking: '',
  productId: 'hoodie',
  productName: 'The hoodie',
  quantity: 2,
  unitPriceCents: 8900,
  discountCents: 500,
  amountCents: 17300,
  refundedCents: 0,
  promotionCode: 'GILT5',
  username: null,
  email: 'f…@example.com',
  hasAddress: true,
  addressMissing: false,
  addressAddedAt: null,
  createdAt: '2026-11-20T18:00:00Z',
  paidAt: '2026-11-20T18:01:00Z',
  refundable: true,
  test: false,
}
const code = { code: 'GILT5', discountCents: 500, createdAt: '2026-11-01T00:00:00Z', uses: 3 }

async function openDesk(farSide: MockResponses = {}) {
  const far = mockFetch({
    'GET /api/admin/orders': [paid],
    'GET /api/admin/promotion-code': code,
    'GET /api/admin/payments/parked': [],
    ...farSide,
  })
  await renderWithProviders(<OrdersTab />)
  await screen.findByText('The hoodie × 2')
  return far
}

test('the list is narrowed and searched by the worker', async () => {
  const { sent } = await openDesk({
    'GET /api/admin/orders?status=refunded': [],
    'GET /api/admin/orders?status=refunded&q=hood': [paid],
  })
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'refunded' } })
  expect(await screen.findByText('No order is at that.')).toBeDefined()
  fireEvent.change(screen.getByLabelText('Search orders'), { target: { value: 'hood' } })
  expect(await screen.findByText('The hoodie × 2')).toBeDefined()
  expect(sent).toContain('GET /api/admin/orders?status=refunded&q=hood')
})

test('an address is shown when it is asked for, and not before', async () => {
  const shippingAddress = {
    name: 'A Fan',
    line1: '1 Bay',
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  const { sent } = await openDesk({
    'POST /api/admin/orders/o1/reveal': { email: 'fan@example.com', shippingAddress },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Open order o1' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('f…@example.com')).toBeDefined()
  expect(sent.filter((line) => line.includes('reveal'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Show the address' }))
  expect(await within(dialog).findByText('A Fan, 1 Bay, Tampa, FL 33602')).toBeDefined()
  expect(within(dialog).getByText('fan@example.com')).toBeDefined()
})

test('money goes back after a reason and a second press', async () => {
  const { sent } = await openDesk({ 'POST /api/admin/orders/o1/refund': { ...paid, refundReason: 'requested' } })
  fireEvent.click(screen.getByRole('button', { name: 'Open order o1' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Refund $173.00' }))
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send the money back' }))
  expect(within(dialog).getByText('Please give a reason.')).toBeDefined()
  expect(sent.filter((line) => line.includes('refund'))).toEqual([])
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'It came back' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send the money back' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/orders/o1/refund {"reason":"It came back"}'))
})

test('after a part has gone back, the rest is what is named and sent', async () => {
  await openDesk({ 'GET /api/admin/orders': [{ ...paid, refundedCents: 1300 }] })
  fireEvent.click(screen.getByRole('button', { name: 'Open order o1' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Refund $160.00' }))
  expect(within(dialog).getByText('$160.00')).toBeDefined()
})

test('a refund that was refused says so, and can be sent again', async () => {
  const refused = { ...paid, refundReason: 'requested', refundRefused: true }
  const { sent } = await openDesk({
    'GET /api/admin/orders': [refused],
    'POST /api/admin/orders/o1/refund': refused,
  })
  expect(screen.getByText('Paid, refund refused')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Open order o1' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/The refund was refused/)).toBeDefined()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send the refund again' }))
  fireEvent.change(within(dialog).getByLabelText('Reason'), { target: { value: 'Once more' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send the money back' }))
  expect(await within(dialog).findByText(/The provider refused the refund/)).toBeDefined()
  expect(sent).toContain('POST /api/admin/orders/o1/refund {"reason":"Once more"}')
})

test('an order that cannot be refunded offers none', async () => {
  await openDesk({ 'GET /api/admin/orders': [{ ...paid, refundable: false, refundReason: 'requested' }] })
  expect(screen.getByText('Paid, refund under way')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Open order o1' }))
  expect(within(await screen.findByRole('dialog')).queryByRole('button', { name: /^Refund/ })).toBeNull()
})

test('a payment that somebody has looked at can be taken off the list, a refused refund not', async () => {
  const event = { type: 'charge', reason: 'The amount is not the order’s.', orderId: 'o7', paymentIntentId: null }
  const { sent } = await openDesk({
    'GET /api/admin/payments/parked': [
      { ...event, id: 'refund:o1', reason: 'The refund was refused.', receivedAt: paid.createdAt, dismissable: false },
      { ...event, id: 'evt_1', receivedAt: paid.createdAt, dismissable: true },
    ],
    'POST /api/admin/payments/parked/evt_1/seen': null,
  })
  const [seen, ...others] = await screen.findAllByRole('button', { name: /^Seen/ })
  expect(others).toEqual([])
  fireEvent.click(seen as HTMLElement)
  await waitFor(() => expect(sent).toContain('POST /api/admin/payments/parked/evt_1/seen'))
})

test('the code is replaced after a question, by the given one or a drawn one', async () => {
  const { sent } = await openDesk({ 'POST /api/admin/promotion-code/rotate': { ...code, code: 'BAY-9' } })
  fireEvent.change(await screen.findByLabelText('New code'), { target: { value: 'bay-9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Replace the code' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/GILT5 stops working at once.*BAY-9 takes its place/)).toBeDefined()
  expect(sent.filter((line) => line.includes('rotate'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Replace it' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/promotion-code/rotate {"code":"bay-9"}'))
})
