import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MyOrder } from '../../worker/contract/orders'
import { sessionQuery } from '../auth/auth.queries'
import { newQueryClient } from '../query-client'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { AccountOrders } from './AccountOrders'

function newSupporterQueryClient() {
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, buildSupporter())
  return queryClient
}

const buildMyOrder = (id: string, changes: Partial<MyOrder> = {}): MyOrder => ({
  id,
  status: 'paid',
  productName: `The ${id}`,
  quantity: 1,
  amountCents: 8900,
  refundedCents: 0,
  fulfilment: 'unfulfilled',
  createdAt: '2026-11-20T18:00:00Z',
  receiptUrl: `/orders/${id}?token=t-${id}`,
  ...changes,
})

test('lists orders with status and receipt link, page by page', async () => {
  mockFetch({
    'GET /api/account/orders': () =>
      Response.json([buildMyOrder('hoodie', { fulfilment: 'shipped' }), buildMyOrder('clip', { refundedCents: 500 })], {
        headers: { link: '</api/account/orders?cursor=2>; rel="next"' },
      }),
    'GET /api/account/orders?cursor=2': [buildMyOrder('cap', { status: 'refunded' })],
  })
  await renderWithProviders(<AccountOrders />, { queryClient: newSupporterQueryClient() })
  const first = await screen.findByRole('link', { name: /The hoodie.*on its way.*\$89\.00/ })
  expect(first.getAttribute('href')).toBe('/orders/hoodie?token=t-hoodie')
  expect(screen.getByRole('link', { name: /\$5\.00 refunded/ })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }))
  expect(await screen.findByRole('link', { name: /The cap.*refunded/ })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('shows an empty state without orders', async () => {
  mockFetch({ 'GET /api/account/orders': [] })
  await renderWithProviders(<AccountOrders />, { queryClient: newSupporterQueryClient() })
  expect(await screen.findByText(/^No orders yet/)).toBeDefined()
})
