import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { SALES } from '../testing/sales.fixture'
import { SalesTab } from './SalesTab'

test('shows the sales of a range as a table', async () => {
  const { sent } = mockFetch({ 'GET /api/admin/sales?days=7': SALES })
  await renderWithProviders(<SalesTab />, { path: '/admin/sales?days=7' })
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table: Revenue by product' }))
  const table = within(screen.getByRole('table', { name: 'Revenue by product' }))
  expect(table.getByRole('row', { name: /^Clip/ }).textContent).toContain('5.0% (– before)')
  expect(sent).toEqual(['GET /api/admin/sales?days=7'])
})
