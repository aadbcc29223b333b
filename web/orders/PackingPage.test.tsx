import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminOrder, buildOrderLine } from '../testing/order.fixture'
import { mockFetch, renderWithProviders } from '../testing/render'
import { PackingPage } from './PackingPage'
import { LabelsPage, PackingSlipsPage } from './PrintPages'

const firstOrder = buildAdminOrder({ id: 'o1', username: 'ana' })
const secondOrder = buildAdminOrder({ id: 'o2', username: 'bo' })
const PACKING_SLIPS_REQUEST = 'POST /api/admin/packing-slips'
const address = { name: 'Ana Bay', line1: '1 Bay', city: 'Tampa', state: 'FL', postalCode: '33602', country: 'US' }

test('packs and ships orders one after another', async () => {
  const { sent } = mockFetch({
    'GET /api/admin/orders?tab=pack&fulfilment=unfulfilled&sort=placed': [firstOrder, secondOrder],
    'PATCH /api/admin/orders/o1': firstOrder,
    'PATCH /api/admin/orders/o2': secondOrder,
  })
  await renderWithProviders(<PackingPage />, { path: '/admin/packing' })
  fireEvent.click(await screen.findByRole('button', { name: 'Packed, next' }))
  expect(screen.getByText('Check every item first.')).toBeDefined()
  fireEvent.click(screen.getByRole('checkbox', { name: /2 × The hoodie/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Packed, next' }))
  expect(await screen.findByText('Order 2 of 2')).toBeDefined()
  fireEvent.click(screen.getByRole('checkbox', { name: /2 × The hoodie/ }))
  fireEvent.change(screen.getByLabelText('Tracking'), { target: { value: '9400' } })
  fireEvent.change(screen.getByLabelText('Carrier'), { target: { value: 'USPS' } })
  fireEvent.click(screen.getByRole('button', { name: 'Packed and shipped, next' }))
  expect(await screen.findByText('Done: 2 orders packed.')).toBeDefined()
  expect(sent.filter((request) => request.startsWith('PATCH'))).toEqual([
    'PATCH /api/admin/orders/o1 {"fulfilment":"packed","carrier":"","tracking":""}',
    'PATCH /api/admin/orders/o2 {"fulfilment":"shipped","carrier":"USPS","tracking":"9400"}',
  ])
})

test('shows the address; a single item starts out checked', async () => {
  const line = { ...buildOrderLine(), sku: '', restockedQuantity: 0, items: [] }
  const order = { ...firstOrder, hasAddress: true, lines: [line] }
  const { sent } = mockFetch({
    'GET /api/admin/orders?tab=pack&fulfilment=unfulfilled&sort=placed': [order],
    [PACKING_SLIPS_REQUEST]: [{ order, shippingAddress: address }],
    'PATCH /api/admin/orders/o1': order,
  })
  await renderWithProviders(<PackingPage />, { path: '/admin/packing' })
  const shipTo = await screen.findByLabelText('Ship to')
  expect([...shipTo.children].map(({ textContent }) => textContent)).toEqual(['Ana Bay', '1 Bay', 'Tampa, FL 33602'])
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([`${PACKING_SLIPS_REQUEST} {"orders":["o1"]}`])
  fireEvent.click(screen.getByRole('button', { name: 'Packed, next' }))
  expect(await screen.findByText('Done: 1 order packed.')).toBeDefined()
})

test.each([
  ['an order without an email', true, false],
  ['an order without an address', false, true],
])('asks to skip only orders without address: %s', async (_, hasAddress, isSkipped) => {
  const order = { ...firstOrder, hasAddress, addressMissing: true }
  mockFetch({
    'GET /api/admin/orders?tab=pack&fulfilment=unfulfilled&sort=placed': [order],
    [PACKING_SLIPS_REQUEST]: [{ order, shippingAddress: hasAddress ? address : null }],
  })
  await renderWithProviders(<PackingPage />, { path: '/admin/packing' })
  expect(await screen.findByText(isSkipped ? /This order has no address yet/ : 'Ana Bay')).toBeDefined()
  expect(screen.queryByText(/Skip it until/) !== null).toBe(isSkipped)
})

test('counts the orders of all pages', async () => {
  const query = '?tab=pack&fulfilment=unfulfilled&sort=placed'
  mockFetch({
    [`GET /api/admin/orders${query}`]: () =>
      Response.json([firstOrder], { headers: { link: `</api/admin/orders${query}&cursor=o1>; rel="next"` } }),
    [`GET /api/admin/orders${query}&cursor=o1`]: [secondOrder],
  })
  await renderWithProviders(<PackingPage />, { path: '/admin/packing' })
  expect(await screen.findByText('Order 1 of 2')).toBeDefined()
})

test('the labels page lists orders left out without an address', async () => {
  const { sent } = mockFetch({
    [PACKING_SLIPS_REQUEST]: [
      { order: firstOrder, shippingAddress: address },
      { order: secondOrder, shippingAddress: null },
    ],
  })
  await renderWithProviders(<LabelsPage />, { path: '/admin/labels?orders=o1,o2' })
  expect((await screen.findByRole('status')).textContent).toBe('1 order without an address left out: o2.')
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Ana Bay1 BayTampa, FL 33602o1',
  ])
  await waitFor(() => expect(sent).toContain(`${PACKING_SLIPS_REQUEST} {"orders":["o1","o2"]}`))
})

test('a packing slip lists bundle contents without prices', async () => {
  const line = {
    ...buildOrderLine({ productName: 'Bundle', quantity: 2 }),
    sku: 'B-1',
    restockedQuantity: 0,
    items: [{ name: 'Shirt (M)', quantity: 3 }],
  }
  mockFetch({ [PACKING_SLIPS_REQUEST]: [{ order: { ...firstOrder, lines: [line] }, shippingAddress: address }] })
  await renderWithProviders(<PackingSlipsPage />, { path: '/admin/packing-slips?orders=o1' })
  const slip = within(await screen.findByRole('article', { name: 'Packing slip o1' }))
  expect(slip.getByText('6 × Shirt (M)')).toBeDefined()
  expect(slip.queryByText(/\$/)).toBeNull()
})
