import { RANGE_DAYS } from '../../../worker/contract/metrics'
import { type ScreenSearch, useScreenSearch } from '../screen-location'

/** A range of days in the URL: a preset number of days that ends today, or the first and the last day. */
export type DayRangeChoice = { days: number } | { from: string; to: string }

const DEFAULT_DAYS = 30

function parseChoice({ days, from, to }: ScreenSearch): DayRangeChoice {
  if (from && to) return { from, to }
  return { days: RANGE_DAYS.find((preset) => String(preset) === days) ?? DEFAULT_DAYS }
}

/** First and last day of the calendar month before that of `today`; all days are YYYY-MM-DD. */
export function previousMonth(today: string): { from: string; to: string } {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const toDay = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10)
  return { from: toDay(Date.UTC(year, month - 2, 1)), to: toDay(Date.UTC(year, month - 1, 0)) }
}

/** The range as a query string. The server computes the days of a preset by its own clock. */
export const toRangeSearch = (choice: DayRangeChoice): string =>
  'days' in choice ? `?days=${choice.days}` : `?from=${choice.from}&to=${choice.to}`

/** The open screen's range of days, which its URL stores. */
export function useDayRange(): [DayRangeChoice, (choice: DayRangeChoice) => void] {
  const [search, setSearch] = useScreenSearch()
  const setChoice = (choice: DayRangeChoice) => {
    if (!('days' in choice)) return setSearch({ days: '', ...choice })
    setSearch({ days: choice.days === DEFAULT_DAYS ? '' : String(choice.days), from: '', to: '' })
  }
  return [parseChoice(search), setChoice]
}
