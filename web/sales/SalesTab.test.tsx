import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Sales } from '../../worker/contract/sales'
import { mockFetch, renderWithProviders } from '../testing/render'
import { SalesTab } from './SalesTab'
import { conversionOf, toWeeks, zonesCsv } from './sales-metrics'

const day = (date: string, revenueCents: number) => ({ day: date, revenueCents, orders: 1, views: 10 })
const sales: Sales = {
  today: '2026-07-07',
  // Saturday to Tuesday.
  days: [day('2026-07-04', 100), day('2026-07-05', 200), day('2026-07-06', 400), day('2026-07-07', -50)],
  before: [day('2026-06-30', 1), day('2026-07-01', 2), day('2026-07-02', 4), day('2026-07-03', 8)],
  products: [
    {
      id: 'clip',
      name: 'Clip',
      revenueCents: { now: 650, before: 15 },
      units: { now: 4, before: 4 },
      orders: { now: 2, before: 4 },
      views: { now: 40, before: 0 },
    },
  ],
  zones: [{ name: 'Europe', revenueCents: { now: 650, before: 15 }, orders: { now: 4, before: 4 } }],
}

test('weeks begin on Monday and include the previous range’s revenue', () => {
  expect(toWeeks(sales)).toEqual([
    { from: '2026-07-04', revenueCents: 300, beforeCents: 3 },
    { from: '2026-07-06', revenueCents: 350, beforeCents: 12 },
  ])
})

test('shows no conversion rate without product views', () => {
  expect([conversionOf(2, 40), conversionOf(4, 0)]).toEqual([5, null])
})

test('the CSV has dollars and the previous range’s values', () => {
  expect(zonesCsv(sales.zones)).toBe(
    'Delivery zone,Revenue,Orders,Revenue before,Orders before\r\nEurope,6.50,4,0.15,4\r\n',
  )
})

test('shows the sales of a range as a table', async () => {
  const { sent } = mockFetch({ 'GET /api/admin/sales?days=7': sales })
  await renderWithProviders(<SalesTab />, { path: '/admin/sales?days=7' })
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table: Revenue by product' }))
  const table = within(screen.getByRole('table', { name: 'Revenue by product' }))
  expect(table.getByRole('row', { name: /^Clip/ }).textContent).toContain('5.0% (– before)')
  expect(sent).toEqual(['GET /api/admin/sales?days=7'])
})
