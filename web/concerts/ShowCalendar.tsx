import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { Concert } from '../../worker/contract/concerts'
import { MONTHS } from '../lib/format'
import { useToday } from '../lib/local-day'
import { Button } from '../ui/Button'
import {
  addMonths,
  compareMonths,
  dayInMonth,
  FIRST_MONTH,
  laterMonth,
  type Month,
  monthOf,
  monthsUntil,
} from './calendar'
import { allConcerts } from './concerts.queries'
import { MonthGrid } from './MonthGrid'
import { ShowStateIcon } from './ShowStateIcon'
import { isPastShow } from './show-format'

const LEGEND = [
  ['available', 'Available Shows', 'text-bay'],
  ['soldOut', 'Sold Out', 'text-sunset'],
  ['vip', 'VIP Available', 'text-gold'],
] as const

type Props = {
  upcoming: readonly Concert[]
  onOpen: (shows: readonly Concert[]) => void
}

/** A calendar of the shows by their date at the venue. Fetches past shows when the visitor pages back. */
export function ShowCalendar({ upcoming, onOpen }: Props) {
  const headingId = useId()
  const today = useToday()
  const [initialMonth] = useState(() => laterMonth(FIRST_MONTH, monthOf(upcoming[0]?.date ?? new Date().toISOString())))
  const [month, setMonth] = useState(initialMonth)
  const [chosenDay, setChosenDay] = useState<string | null>(null)
  const needsPastShows = compareMonths(month, initialMonth) < 0
  const isFirstMonth = compareMonths(month, FIRST_MONTH) <= 0
  const concerts = useQuery({ ...allConcerts, enabled: needsPastShows }).data ?? upcoming

  const shows = Map.groupBy(concerts, (show) => show.date)
  const isInMonth = (date: string | null | undefined) => !!date && compareMonths(monthOf(date), month) === 0
  // The first of these in the displayed month: the chosen day, the next show, any show, today; else its first day.
  const activeDay =
    [chosenDay, upcoming[0]?.date, concerts.find((show) => isInMonth(show.date))?.date, today].find(isInMonth) ??
    dayInMonth(month, 1)

  const latestMonth = laterMonth(month, monthOf(upcoming.at(-1)?.date ?? dayInMonth(initialMonth, 1)))

  function showMonth(next: Month) {
    setMonth(next)
    setChosenDay(null)
  }

  return (
    <div className="show-calendar flex flex-col">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h3
          id={headingId}
          aria-live="polite"
          className="flex flex-wrap items-baseline gap-x-3 text-2xl md:text-[2.6rem]"
        >
          <span className="font-display leading-none">{MONTHS[month.month - 1]}</span>{' '}
          <span className="tabular-figures font-label text-muted md:text-lg">{month.year}</span>
        </h3>
        <div className="flex flex-wrap gap-2">
          <MonthSelect month={month} months={monthsUntil(addMonths(latestMonth, 12))} onChange={showMonth} />
          <Button
            className="px-4!"
            aria-disabled={isFirstMonth || undefined}
            onClick={() => isFirstMonth || showMonth(addMonths(month, -1))}
          >
            <ChevronLeft size={18} aria-hidden />
            Previous
          </Button>
          <Button className="px-4!" onClick={() => showMonth(addMonths(month, 1))}>
            Next
            <ChevronRight size={18} aria-hidden />
          </Button>
        </div>
      </div>
      <MonthGrid
        month={month}
        labelledBy={headingId}
        shows={shows}
        isPastShow={(show) => isPastShow(show, upcoming)}
        activeDay={activeDay}
        today={today}
        onMove={(nextDay) => {
          setChosenDay(nextDay)
          setMonth(monthOf(nextDay))
        }}
        onOpen={onOpen}
      />
      <ul aria-label="Legend" className="show-legend mt-5 flex flex-wrap gap-x-7 gap-y-2">
        {LEGEND.map(([state, label, color]) => (
          <li key={state} className="flex items-center gap-2.5 text-sm">
            <span className={color}>
              <ShowStateIcon state={state} />
            </span>
            {label}
          </li>
        ))}
      </ul>
    </div>
  )
}

type MonthSelectProps = { month: Month; months: readonly Month[]; onChange: (month: Month) => void }

/** Selects a month; the last choice is a year after the last show or, if later, after the displayed month. */
function MonthSelect({ month, months, onChange }: MonthSelectProps) {
  return (
    <select
      aria-label="Month"
      value={dayInMonth(month, 1)}
      onChange={(event) => onChange(monthOf(event.target.value))}
      className="min-h-12 rounded-xs border border-rule-strong bg-background px-3 font-label"
    >
      {months.map((each) => (
        <option key={dayInMonth(each, 1)} value={dayInMonth(each, 1)}>
          {MONTHS[each.month - 1]} {each.year}
        </option>
      ))}
    </select>
  )
}
