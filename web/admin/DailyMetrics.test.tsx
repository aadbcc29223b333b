import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { metricsApi } from '../../worker/contract/metrics'
import { changeField, mockFetch, renderWithProviders } from '../testing/render'
import { DailyMetrics } from './DailyMetrics'

const day = (text: string) => ({ day: text, supporters: 3, streams: 40, revenueCents: 1999 })
const metrics = { today: '2026-07-01', days: [day('2026-07-01')], before: [day('2026-06-30')] }
const { path } = metricsApi.metrics

async function renderMetrics(address: string) {
  const network = mockFetch({
    [`GET ${path}?days=30`]: metrics,
    [`GET ${path}?days=90`]: metrics,
    [`GET ${path}?from=2026-06-01&to=2026-06-30`]: metrics,
  })
  return { ...network, ...(await renderWithProviders(<DailyMetrics />, { path: address })) }
}

test('stores the chosen range in the URL', async () => {
  const { router, sent } = await renderMetrics('/admin')
  await screen.findByText('$19.99')
  fireEvent.click(screen.getByRole('button', { name: '90 days' }))
  await vi.waitFor(() => expect(sent).toContain(`GET ${path}?days=90`))
  expect(router.state.location.search).toEqual({ days: '90' })
  fireEvent.click(screen.getByRole('button', { name: 'Custom' }))
  changeField('First day', '2026-06-30')
  changeField('Last day', '2026-06-01')
  fireEvent.click(screen.getByRole('button', { name: 'Show this period' }))
  expect(await screen.findByText('Choose a first day that is not after the last.')).toBeTruthy()
  changeField('First day', '2026-06-01')
  changeField('Last day', '2026-06-30')
  fireEvent.click(screen.getByRole('button', { name: 'Show this period' }))
  await vi.waitFor(() => expect(sent).toContain(`GET ${path}?from=2026-06-01&to=2026-06-30`))
})

test('chooses the last calendar month', async () => {
  const { sent, router } = await renderMetrics('/admin')
  await screen.findByText('$19.99')
  fireEvent.click(screen.getByRole('button', { name: 'Last month' }))
  await vi.waitFor(() => expect(sent).toContain(`GET ${path}?from=2026-06-01&to=2026-06-30`))
  expect(router.state.location.search).toEqual({ from: '2026-06-01', to: '2026-06-30' })
  expect(screen.getByRole('button', { name: 'Last month' }).getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByLabelText('First day')).toBeNull()
})

test('shows the metrics as a table', async () => {
  await renderMetrics('/admin')
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }))
  const table = screen.getByRole('table', { name: 'Figures by day' })
  expect(within(table).getByRole('row', { name: /July 1, 2026, so far/ }).textContent).toContain('$19.99')
})
