import { expect, test } from 'vitest'
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

test('formats a range of days and a change in percent', () => {
  expect(rangeText(['2026-07-01', '2026-07-31'])).toBe('July 1 to July 31, 2026')
  expect(rangeText(['2025-12-31', '2026-01-01'])).toBe('December 31, 2025 to January 1, 2026')
  expect([changeText(15, 10), changeText(5, 10), changeText(5, 0)]).toEqual(['+50%', '-50%', null])
})

test('computes the previous calendar month', () => {
  expect(previousMonth('2026-01-15')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(previousMonth('2028-03-31')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
})
