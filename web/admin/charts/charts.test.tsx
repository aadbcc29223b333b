import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { metricsApi } from '../../../worker/contract/metrics'
import { csvText } from '../../lib/csv'
import { mockFetch, renderWithProviders } from '../../testing/render'
import { DailyMetrics } from '../DailyMetrics'
import { previousMonth } from './day-range'
import { changeText, rangeText, type Trend, toCsv } from './trends'

const trend: Trend = {
  id: 'revenue',
  label: 'Revenue, net',
  values: [1050, 0],
  before: [0, 300],
  format: String,
  formatAxis: String,
  csvValue: (cents) => (cents / 100).toFixed(2),
}

test('writes the metrics of both ranges as CSV', () => {
  const range = { today: '2026-07-02', days: ['2026-07-01', '2026-07-02'], before: ['2026-06-29', '2026-06-30'] }
  expect(toCsv(range, [trend])).toBe(
    [
      'Day,"Revenue, net",Compared with,"Revenue, net then"',
      '2026-07-01,10.50,2026-06-29,0.00',
      '2026-07-02,0.00,2026-06-30,3.00',
      '',
    ].join('\r\n'),
  )
})

test('escapes texts that spreadsheets would run as formulas', () => {
  const texts = ['=1+1', '-1+cmd', ' @SUM(A1)', '＝1', '-3', '-3.50', '-3%', 'a=b']
  expect(csvText([texts])).toBe("'=1+1,'-1+cmd,' @SUM(A1),'＝1,-3,-3.50,-3%,a=b\r\n")
})

test('formats a range of days and a change in percent', () => {
  expect(rangeText(['2026-07-01', '2026-07-31'])).toBe('July 1 to July 31, 2026')
  expect(rangeText(['2025-12-31', '2026-01-01'])).toBe('December 31, 2025 to January 1, 2026')
  expect([changeText(15, 10), changeText(5, 10), changeText(5, 0)]).toEqual(['+50%', '-50%', null])
})

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
  const choose = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  choose('First day', '2026-06-30')
  choose('Last day', '2026-06-01')
  fireEvent.click(screen.getByRole('button', { name: 'Show this period' }))
  expect(await screen.findByText('Choose a first day that is not after the last.')).toBeTruthy()
  choose('First day', '2026-06-01')
  choose('Last day', '2026-06-30')
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

test('computes the previous calendar month', () => {
  expect(previousMonth('2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(previousMonth('2028-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})

test('shows the metrics as a table', async () => {
  await renderMetrics('/admin')
  fireEvent.click(await screen.findByRole('button', { name: 'Show as table' }))
  const table = screen.getByRole('table', { name: 'Figures by day' })
  expect(within(table).getByRole('row', { name: /July 1, 2026, so far/ }).textContent).toContain('$19.99')
})
