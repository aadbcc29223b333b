import { expect, test } from 'vitest'
import { SALES } from '../testing/sales.fixture'
import { conversionOf, toWeeks, zonesCsv } from './sales-metrics'

test('weeks begin on Monday and include the previous range’s revenue', () => {
  expect(toWeeks(SALES)).toEqual([
    { from: '2026-07-04', revenueCents: 300, beforeCents: 3 },
    { from: '2026-07-06', revenueCents: 350, beforeCents: 12 },
  ])
})

test('shows no conversion rate without product views', () => {
  expect([conversionOf(2, 40), conversionOf(4, 0)]).toEqual([5, null])
})

test('the CSV has dollars and the previous range’s values', () => {
  expect(zonesCsv(SALES.zones)).toBe(
    'Delivery zone,Revenue,Orders,Revenue before,Orders before\r\nEurope,6.50,4,0.15,4\r\n',
  )
})
