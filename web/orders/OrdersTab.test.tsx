import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminOrder } from '../testing/order.fixture'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { OrdersTab } from './OrdersTab'

const paidOrder = buildAdminOrder()
const promotionCode = { code: 'GILT5', discountCents: 500, createdAt: '2026-11-01T00:00:00Z', uses: 3 }

async function openTab(responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/orders?tab=pack': [paidOrder],
    'GET /api/admin/views?list=orders': [],
    'GET /api/admin/promotion-code': promotionCode,
    'GET /api/admin/payments/parked': [],
    ...responses,
  })
  await renderWithProviders(<OrdersTab />)
  await screen.findAllByText('The hoodie × 2')
  return network
}

test('opens on To pack and searches within a tab', async () => {
  const { sent } = await openTab({
    'GET /api/admin/orders?tab=refunds': [],
    'GET /api/admin/orders?tab=refunds&q=hood': [paidOrder],
  })
  fireEvent.mouseDown(screen.getByRole('tab', { name: 'Refunds' }))
  expect(await screen.findByText(/^No refunds\./)).toBeDefined()
  fireEvent.change(screen.getByLabelText('Search by number, product, name or full email'), {
    target: { value: 'hood' },
  })
  expect(await screen.findByText('The hoodie × 2')).toBeDefined()
  expect(sent).toContain('GET /api/admin/orders?tab=refunds&q=hood')
})

test('ships selected orders; failed ones stay in the dialog', async () => {
  const second = { ...paidOrder, id: 'o2' }
  const { sent } = await openTab({
    'GET /api/admin/orders?tab=pack': [paidOrder, second],
    'POST /api/admin/shipments': [
      { id: 'o1', error: null },
      { id: 'o2', error: 'This order has no address yet.' },
    ],
  })
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(screen.getByRole('button', { name: 'Mark as shipped' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Mark 2 orders as shipped' }))
  fireEvent.change(dialog.getByLabelText('Carrier for all'), { target: { value: 'USPS' } })
  fireEvent.change(within(dialog.getByRole('group', { name: 'Order o2' })).getByLabelText('Carrier'), {
    target: { value: 'DHL' },
  })
  fireEvent.change(within(dialog.getByRole('group', { name: 'Order o1' })).getByLabelText('Tracking'), {
    target: { value: '9400' },
  })
  fireEvent.click(dialog.getByRole('button', { name: 'Mark as shipped' }))
  expect(await dialog.findByText('This order has no address yet.')).toBeDefined()
  expect(dialog.queryByRole('group', { name: 'Order o1' })).toBeNull()
  expect(sent).toContain(
    'POST /api/admin/shipments {"orders":[{"id":"o1","carrier":"USPS","tracking":"9400"},{"id":"o2","carrier":"DHL","tracking":""}]}',
  )
})

test('dismisses payments to review but not rejected refunds', async () => {
  const paymentToReview = {
    type: 'charge',
    reason: 'The amount is not the order’s.',
    orderId: 'o7',
    paymentIntentId: null,
  }
  const { sent } = await openTab({
    'GET /api/admin/payments/parked': [
      {
        ...paymentToReview,
        id: 'refund:o1',
        reason: 'The refund of this order was rejected or failed. Open the order to try again.',
        receivedAt: paidOrder.createdAt,
        dismissable: false,
      },
      { ...paymentToReview, id: 'evt_1', receivedAt: paidOrder.createdAt, dismissable: true },
    ],
    'POST /api/admin/payments/parked/evt_1/seen': null,
  })
  const [dismissButton, ...otherButtons] = await screen.findAllByRole('button', { name: /^Dismiss/ })
  expect(otherButtons).toEqual([])
  fireEvent.click(dismissButton as HTMLElement)
  await waitFor(() => expect(sent).toContain('POST /api/admin/payments/parked/evt_1/seen'))
})

test('replaces the broadcast code after confirmation', async () => {
  const { sent } = await openTab({ 'POST /api/admin/promotion-code/rotate': { ...promotionCode, code: 'BAY-9' } })
  fireEvent.change(await screen.findByLabelText('New code'), { target: { value: 'bay-9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Replace the code' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/GILT5 stops working at once/)).toBeDefined()
  expect(sent.filter((request) => request.includes('rotate'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Replace it' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/promotion-code/rotate {"code":"bay-9"}'))
})
