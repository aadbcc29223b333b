import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminOrder } from '../../worker/contract/orders'
import { buildBreakdown, buildOrderLine } from '../testing/order.fixture'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { OrdersTab } from './OrdersTab'

const paid: AdminOrder = {
  id: 'o1',
  status: 'paid',
  refundReason: null,
  refundRefused: false,
  fulfilment: 'unfulfilled',
  carrier: '',
  tracking: '',
  lines: [{ ...buildOrderLine({ quantity: 2, discountCents: 500 }), sku: '', restockedQuantity: 0 }],
  breakdown: buildBreakdown({ linesCents: 17800, discountCents: 500, totalCents: 17300 }),
  shippingMethod: null,
  refundedShippingCents: 0,
  isPreorder: false,
  discountCode: 'GILT5',
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
const promotionCode = { code: 'GILT5', discountCents: 500, createdAt: '2026-11-01T00:00:00Z', uses: 3 }

async function openTab(responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/orders?tab=pack': [paid],
    'GET /api/admin/views?list=orders': [],
    'GET /api/admin/promotion-code': promotionCode,
    'GET /api/admin/payments/parked': [],
    ...responses,
  })
  await renderWithProviders(<OrdersTab />)
  await screen.findAllByText('The hoodie × 2')
  return network
}

async function openOrder(responses: MockResponses = {}) {
  const network = await openTab(responses)
  fireEvent.click(screen.getByRole('button', { name: 'o1' }))
  return { ...network, dialog: within(await screen.findByRole('dialog')) }
}

test('opens the orders to pack and searches in the open tab', async () => {
  const { sent } = await openTab({
    'GET /api/admin/orders?tab=refunds': [],
    'GET /api/admin/orders?tab=refunds&q=hood': [paid],
  })
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Refunds' }))
  expect(await screen.findByText(/^No refunds\./)).toBeDefined()
  fireEvent.change(screen.getByLabelText('Search by number, product or name'), { target: { value: 'hood' } })
  expect(await screen.findByText('The hoodie × 2')).toBeDefined()
  expect(sent).toContain('GET /api/admin/orders?tab=refunds&q=hood')
})

test('ships selected orders in one request and keeps failed ones', async () => {
  const second = { ...paid, id: 'o2' }
  const { sent } = await openTab({
    'GET /api/admin/orders?tab=pack': [paid, second],
    'POST /api/admin/shipments': [
      { id: 'o1', error: null },
      { id: 'o2', error: 'This order has no address yet.' },
    ],
  })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(screen.getByRole('button', { name: 'Mark as shipped' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark 2 orders as shipped' }))
  fireEvent.change(dialog.getByLabelText('Carrier for all'), { target: { value: 'USPS' } })
  fireEvent.change(dialog.getByLabelText('Carrier of o2'), { target: { value: 'DHL' } })
  fireEvent.change(dialog.getByLabelText('Tracking of o1'), { target: { value: '9400' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Mark as shipped' }))
  expect(await dialog.findByText('This order has no address yet.')).toBeDefined()
  expect(dialog.queryByLabelText('Tracking of o1')).toBeNull()
  expect(sent).toContain(
    'POST /api/admin/shipments {"orders":[{"id":"o1","carrier":"USPS","tracking":"9400"},{"id":"o2","carrier":"DHL","tracking":""}]}',
  )
})

test('reveals the address only on request', async () => {
  const shippingAddress = {
    name: 'A Fan',
    line1: '1 Bay',
    city: 'Tampa',
    state: 'FL',
    postalCode: '33602',
    country: 'US',
  }
  const { sent, dialog } = await openOrder({
    'POST /api/admin/orders/o1/reveal': { email: 'fan@example.com', shippingAddress },
  })
  expect(dialog.getByText('f…@example.com')).toBeDefined()
  expect(sent.filter((line) => line.includes('reveal'))).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Show the address' }))
  expect(await dialog.findByText('A Fan, 1 Bay, Tampa, FL 33602')).toBeDefined()
  expect(dialog.getByText('fan@example.com')).toBeDefined()
})

test('refunds after a reason and a confirmation', async () => {
  const { sent, dialog } = await openOrder({
    'POST /api/admin/orders/o1/refund': { ...paid, refundReason: 'requested' },
  })
  fireEvent.click(dialog.getByRole('button', { name: 'Refund $173.00' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Refund the order' }))
  expect(dialog.getByText('Please give a reason.')).toBeDefined()
  expect(sent.filter((line) => line.includes('refund'))).toEqual([])
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'It came back' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Refund the order' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/orders/o1/refund {"reason":"It came back"}'))
})

test('offers to refund the remainder after a partial refund', async () => {
  const { dialog } = await openOrder({ 'GET /api/admin/orders?tab=pack': [{ ...paid, refundedCents: 1300 }] })
  fireEvent.click(dialog.getByRole('button', { name: 'Refund $160.00' }))
  expect(dialog.getByText('$160.00')).toBeDefined()
})

test.each([
  ['packed', 'the pieces go back into the stock'],
  ['shipped', 'the pieces stay out of the stock'],
] as const)('the refund of a %s order says: %s', async (fulfilment, text) => {
  const { dialog } = await openOrder({ 'GET /api/admin/orders?tab=pack': [{ ...paid, fulfilment }] })
  fireEvent.click(dialog.getByRole('button', { name: 'Refund $173.00' }))
  expect(dialog.getByText(/This cannot be undone/).textContent).toContain(text)
})

test('shows a refused refund and sends it again', async () => {
  const refundRefused = { ...paid, refundReason: 'requested', refundRefused: true }
  const { sent, dialog } = await openOrder({
    'GET /api/admin/orders?tab=pack': [refundRefused],
    'POST /api/admin/orders/o1/refund': refundRefused,
  })
  // Once in the list and once in the dialog.
  expect(screen.getAllByText('Paid, refund refused')).toHaveLength(2)
  expect(dialog.getByText(/The refund failed\./)).toBeDefined()
  fireEvent.click(dialog.getByRole('button', { name: 'Send the refund again' }))
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Once more' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Refund the order' }))
  expect(await dialog.findByText(/The payment provider rejected the refund/)).toBeDefined()
  expect(sent).toContain('POST /api/admin/orders/o1/refund {"reason":"Once more"}')
})

test('offers no refund for a non-refundable order', async () => {
  const { dialog } = await openOrder({
    'GET /api/admin/orders?tab=pack': [{ ...paid, refundable: false, refundReason: 'requested' }],
  })
  // Once in the list and once in the dialog.
  expect(screen.getAllByText('Paid, refund under way')).toHaveLength(2)
  expect(dialog.queryByRole('button', { name: /^Refund/ })).toBeNull()
})

test('dismisses parked payments but not refused refunds', async () => {
  const parkedEvent = { type: 'charge', reason: 'The amount is not the order’s.', orderId: 'o7', paymentIntentId: null }
  const { sent } = await openTab({
    'GET /api/admin/payments/parked': [
      {
        ...parkedEvent,
        id: 'refund:o1',
        reason: 'The refund was refused.',
        receivedAt: paid.createdAt,
        dismissable: false,
      },
      { ...parkedEvent, id: 'evt_1', receivedAt: paid.createdAt, dismissable: true },
    ],
    'POST /api/admin/payments/parked/evt_1/seen': null,
  })
  const [dismissButton, ...otherButtons] = await screen.findAllByRole('button', { name: /^Seen/ })
  expect(otherButtons).toEqual([])
  fireEvent.click(dismissButton as HTMLElement)
  await waitFor(() => expect(sent).toContain('POST /api/admin/payments/parked/evt_1/seen'))
})

test('replaces the promotion code after confirmation', async () => {
  const { sent } = await openTab({ 'POST /api/admin/promotion-code/rotate': { ...promotionCode, code: 'BAY-9' } })
  fireEvent.change(await screen.findByLabelText('New code'), { target: { value: 'bay-9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Replace the code' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/GILT5 stops working at once/)).toBeDefined()
  expect(sent.filter((line) => line.includes('rotate'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Replace it' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/promotion-code/rotate {"code":"bay-9"}'))
})
