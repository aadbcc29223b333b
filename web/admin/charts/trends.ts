import { csvText } from '../../lib/csv'
import {
  formatCalendarDate,
  formatCents,
  formatCompactNumber,
  formatCount,
  formatPrice,
  formatShortPrice,
  MONTHS,
} from '../../lib/format'
import { useMediaQuery } from '../../lib/useMediaQuery'

/** Style of the labels on a chart's axes. */
export const TICK_STYLE = { fill: 'var(--color-muted)', fontSize: 12 } as const

/** A metric for each day of a range, and of the range before it. */
export type Trend = {
  id: string
  label: string
  values: readonly number[]
  /** Values of the previous range, by the same index. */
  before: readonly number[]
  format: (value: number) => string
  /** Formats a value for the axis, shorter than `format`. */
  formatAxis: (value: number) => string
  /** Formats a value for the CSV file; by default the number itself. */
  csvValue?: (value: number) => string
}

type TrendKind = Pick<Trend, 'format' | 'formatAxis' | 'csvValue'>
export const COUNT_TREND: TrendKind = { format: formatCount, formatAxis: formatCompactNumber }
export const MONEY_TREND: TrendKind = { format: formatPrice, formatAxis: formatShortPrice, csvValue: formatCents }

/** The trend of the property `id` of each day. */
export const trendOf = <Id extends string>(
  { days, before }: { days: readonly Record<Id, number>[]; before: readonly Record<Id, number>[] },
  id: Id,
  label: string,
  kind: TrendKind,
): Trend => ({ id, label, values: days.map((day) => day[id]), before: before.map((day) => day[id]), ...kind })

/** The days of a range and of the one before, each YYYY-MM-DD in the artist's time zone. */
export type TrendRange = { today: string; days: readonly string[]; before: readonly string[] }

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** How a chart's tooltip opens. After a tap, Chromium sends `mouseleave`, which closes one that opens on hover. */
export const useTooltipTrigger = () => (useMediaQuery('(hover: none)') ? 'click' : 'hover')

/** 'Nov 5'. */
export const shortDay = (day: string): string =>
  `${(MONTHS[Number(day.slice(5, 7)) - 1] ?? '').slice(0, 3)} ${Number(day.slice(8, 10))}`

/** 'November 1 to November 30, 2026'. */
export function rangeText(days: readonly string[]): string {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  if (first === last) return formatCalendarDate(first)
  const isSameYear = first.slice(0, 4) === last.slice(0, 4)
  const start = isSameYear ? formatCalendarDate(first).replace(/, \d+$/, '') : formatCalendarDate(first)
  return `${start} to ${formatCalendarDate(last)}`
}

/** '+12%' or '-3%', compared with the previous range; null if that was zero. */
export function changeText(now: number, before: number): string | null {
  if (before === 0) return null
  const percent = Math.round(((now - before) * 100) / before)
  return `${percent > 0 ? '+' : ''}${percent}%`
}

/** One row for each day, with its values and those of the day that it is compared with. */
export function toCsv({ days, before }: TrendRange, trends: readonly Trend[]): string {
  const header = [
    'Day',
    ...trends.map(({ label }) => label),
    'Compared with',
    ...trends.map(({ label }) => `${label} then`),
  ]
  const rows = days.map((day, i) => [
    day,
    ...trends.map(({ values, csvValue = String }) => csvValue(values[i] ?? 0)),
    before[i] ?? '',
    ...trends.map(({ before, csvValue = String }) => csvValue(before[i] ?? 0)),
  ])
  return csvText([header, ...rows])
}
