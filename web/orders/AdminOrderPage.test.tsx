import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminOrder, buildBreakdown, buildOrderLine } from '../testing/order.fixture'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { AdminOrderPage } from './AdminOrderPage'

const paidOrder = buildAdminOrder()
const REFUND_REQUEST = 'POST /api/admin/orders/o1/refund'

async function openOrder(responses: MockResponses = {}) {
  const network = mockFetch({ 'GET /api/admin/orders/o1': paidOrder, ...responses })
  const view = await renderWithProviders(<AdminOrderPage />, { path: '/admin/orders/o1' })
  await screen.findByText('Total')
  return { ...network, ...view }
}
const region = (name: string) => within(screen.getByRole('region', { name }))
const refundRequests = (sent: readonly string[]) => sent.filter((request) => request.startsWith(REFUND_REQUEST))

test('shows lines, totals, timeline and a link to the guest', async () => {
  await openOrder({
    'GET /api/admin/orders/o1': buildAdminOrder({
      events: [
        { kind: 'paid', at: '2026-11-20T18:01:00Z', actor: null, amountCents: 17300, note: null },
        { kind: 'packed', at: '2026-11-20T19:00:00Z', actor: 'mara', amountCents: null, note: null },
      ],
    }),
  })
  expect(region('Items').getByText('Code GILT5').nextElementSibling?.textContent).toMatch(/^[-−]\$5\.00$/)
  expect(region('Items').getByText('Total').nextElementSibling?.textContent).toBe('$173.00')
  expect(region('Timeline').getAllByRole('listitem')[1]?.textContent).toContain('mara packed it')
  expect(screen.getByRole('link', { name: 'f…@example.com (guest)' }).getAttribute('href')).toBe('/admin/customers/o1')
})

test('shows the tax location of a download', async () => {
  await openOrder({ 'GET /api/admin/orders/o1': buildAdminOrder({ taxLocation: { country: 'US', state: 'FL' } }) })
  expect(screen.getByText('Taxed in').nextElementSibling?.textContent).toBe('FL, United States')
})

test('shows that an open dispute pauses the shipment', async () => {
  const dispute = { openedAt: '2026-11-21T18:00:00Z', respondBy: '2026-11-28T18:00:00Z' }
  await openOrder({ 'GET /api/admin/orders/o1': buildAdminOrder({ dispute }) })
  const notice = screen.getByText('The buyer’s bank opened a dispute. Shipping is on hold until it is closed.')
  expect(notice.nextElementSibling?.textContent).toMatch(/^Opened .* Please answer at the payment provider by /)
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
  const { sent } = await openOrder({
    'POST /api/admin/orders/o1/reveal': { email: 'fan@example.com', shippingAddress },
  })
  expect(sent.filter((request) => request.includes('reveal'))).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Show the address' }))
  expect(await screen.findByText('1 Bay')).toBeDefined()
  expect(screen.getByText('fan@example.com')).toBeDefined()
})

test('refunds chosen items after a confirmation with amount and lines', async () => {
  const { sent } = await openOrder({ [REFUND_REQUEST]: paidOrder })
  const form = region('Refund')
  fireEvent.click(form.getByRole('button', { name: 'Refund these items' }))
  expect(form.getByText('Please choose what to refund.')).toBeDefined()
  // Two hoodies cost $178; half of the $5 discount belongs to each.
  fireEvent.change(form.getByLabelText('Refund The hoodie'), { target: { value: '1' } })
  fireEvent.click(form.getByLabelText('Put The hoodie back in stock'))
  fireEvent.change(form.getByLabelText('Reason'), { target: { value: 'Too small' } })
  fireEvent.click(form.getByRole('button', { name: 'Refund $86.50' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund $86.50?' }))
  expect(dialog.getByRole('listitem').textContent).toBe('1 × The hoodie, $86.50, is not restocked')
  expect(refundRequests(sent)).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Refund $86.50' }))
  await waitFor(() =>
    expect(refundRequests(sent)).toEqual([
      `${REFUND_REQUEST} {"reason":"Too small","lines":[{"lineId":"o1-1","quantity":1,"restock":false}],"shippingCents":0}`,
    ]),
  )
})

test('refunds shipping up to what was paid for it', async () => {
  const { sent } = await openOrder({
    'GET /api/admin/orders/o1': buildAdminOrder({
      lines: [{ ...buildOrderLine({ taxCents: 700 }), sku: '', restockedQuantity: 0, items: [] }],
      breakdown: buildBreakdown({ shippingCents: 500, taxCents: 740, totalCents: 10140 }),
    }),
    [REFUND_REQUEST]: paidOrder,
  })
  const form = region('Refund')
  const shipping = form.getByLabelText('Refund shipping')
  fireEvent.change(form.getByLabelText('Reason'), { target: { value: 'Late' } })
  fireEvent.change(shipping, { target: { value: '5.41' } })
  fireEvent.click(form.getByRole('button', { name: 'Refund $5.41' }))
  expect(form.getByText('Please enter an amount up to $5.40.')).toBeDefined()
  fireEvent.change(shipping, { target: { value: '5.40' } })
  fireEvent.click(form.getByRole('button', { name: 'Refund $5.40' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Refund $5.40' }))
  await waitFor(() =>
    expect(refundRequests(sent)).toEqual([`${REFUND_REQUEST} {"reason":"Late","lines":[],"shippingCents":540}`]),
  )
})

test.each([
  ['packed', 'the items go back in stock'],
  ['shipped', 'the items are not restocked'],
] as const)('refunding a whole %s order warns: %s', async (fulfilment, text) => {
  const { sent } = await openOrder({
    'GET /api/admin/orders/o1': { ...paidOrder, fulfilment },
    [REFUND_REQUEST]: paidOrder,
  })
  fireEvent.click(screen.getByRole('button', { name: 'Refund the whole order, $173.00' }))
  const form = within(screen.getByRole('form', { name: 'Refund the whole order' }))
  expect(form.getByText(/This cannot be undone/).textContent).toContain(text)
  fireEvent.click(form.getByRole('button', { name: 'Refund the order' }))
  expect(form.getByText('Please give a reason.')).toBeDefined()
  fireEvent.change(form.getByLabelText('Reason'), { target: { value: 'It came back' } })
  fireEvent.click(form.getByRole('button', { name: 'Refund the order' }))
  await waitFor(() => expect(refundRequests(sent)).toEqual([`${REFUND_REQUEST} {"reason":"It came back"}`]))
})

test('offers to refund the remainder after a partial refund', async () => {
  await openOrder({ 'GET /api/admin/orders/o1': { ...paidOrder, refundedCents: 1300 } })
  expect(screen.getByRole('button', { name: 'Refund the rest, $160.00' })).toBeDefined()
})

test('shows a rejected refund and sends it again', async () => {
  const order = { ...paidOrder, refundReason: 'requested', refundRefused: true }
  const { sent } = await openOrder({ 'GET /api/admin/orders/o1': order, [REFUND_REQUEST]: order })
  expect(screen.getByText('Paid, refund rejected')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Send the refund again' }))
  fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'Once more' } })
  fireEvent.click(screen.getByRole('button', { name: 'Refund the order' }))
  expect(await screen.findByText(/The payment provider rejected the refund/)).toBeDefined()
  expect(refundRequests(sent)).toEqual([`${REFUND_REQUEST} {"reason":"Once more"}`])
})

test('offers no refund while one is under way', async () => {
  await openOrder({ 'GET /api/admin/orders/o1': { ...paidOrder, refundable: false, refundReason: 'requested' } })
  expect(screen.getByText('Paid, refund under way')).toBeDefined()
  expect(screen.queryByRole('button', { name: /^Refund/ })).toBeNull()
})

test('saves state, carrier and tracking of the shipment', async () => {
  const { sent } = await openOrder({ 'PATCH /api/admin/orders/o1': paidOrder })
  const form = region('Shipment')
  fireEvent.change(form.getByLabelText('State'), { target: { value: 'shipped' } })
  fireEvent.change(form.getByLabelText('Carrier'), { target: { value: 'USPS' } })
  fireEvent.change(form.getByLabelText('Tracking'), { target: { value: ' 9400 ' } })
  fireEvent.click(form.getByRole('button', { name: 'Save the shipment' }))
  await waitFor(() =>
    expect(sent).toContain('PATCH /api/admin/orders/o1 {"fulfilment":"shipped","carrier":"USPS","tracking":"9400"}'),
  )
})

test('opening another order clears the refund form and revealed address', async () => {
  const { router } = await openOrder({
    'GET /api/admin/orders/o2': { ...paidOrder, id: 'o2' },
    'POST /api/admin/orders/o1/reveal': { email: 'fan@example.com', shippingAddress: null },
  })
  const open = (id: string) => act(() => router.navigate({ to: `/admin/orders/${id}` as never }))
  await open('o2')
  await screen.findByText('Total')
  await open('o1')
  fireEvent.click(screen.getByRole('button', { name: 'Show the address' }))
  await screen.findByText('fan@example.com')
  fireEvent.change(region('Refund').getByLabelText('Reason'), { target: { value: 'Too small' } })
  await open('o2')
  expect(region('Refund').getByLabelText<HTMLInputElement>('Reason').value).toBe('')
  expect(screen.queryByText('fan@example.com')).toBeNull()
})
