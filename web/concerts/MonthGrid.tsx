import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Concert } from '../../worker/contract/concerts'
import { WEEKDAYS } from '../lib/format'
import {
  addDays,
  addMonthsToDay,
  compareMonths,
  FIRST_MONTH,
  longDay,
  type Month,
  monthOf,
  weekdayOf,
  weeksOf,
} from './calendar'
import { SHOW_STATE_LABELS, ShowStateIcon } from './ShowStateIcon'
import { showState } from './show-format'

type Props = {
  month: Month
  /** Id of the heading that names the month. */
  labelledBy: string
  /** Shows by their venue-local day. */
  shows: ReadonlyMap<string, readonly Concert[]>
  isPastShow: (show: Concert) => boolean
  /** The day in the Tab order; arrow keys change it. */
  activeDay: string
  today: string | null
  onMove: (day: string) => void
  onOpen: (shows: readonly Concert[]) => void
}

/** A month as an ARIA grid: one tab stop, arrow keys move, Enter opens the shows of a day. */
export function MonthGrid({ month, labelledBy, shows, isPastShow, activeDay, today, onMove, onOpen }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const hasMoved = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: focus follows the active day, into another month too.
  useEffect(() => {
    if (hasMoved.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    hasMoved.current = false
  }, [activeDay])

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = dayForKey(event.key, activeDay)
    if (target === null) return
    event.preventDefault()
    if (target === activeDay) return
    hasMoved.current = true
    onMove(target)
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the ARIA grid pattern on a table.
    <table ref={table} role="grid" aria-labelledby={labelledBy} className="month-grid" onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th key={name} scope="col">
              <span aria-hidden="true">
                {name.slice(0, 1)}
                <span className="max-md:hidden">{name.slice(1, 3)}</span>
              </span>
              <span className="sr-only">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find((day) => day !== null)}>
            {week.map((day, column) =>
              day ? (
                <DayCell
                  key={day}
                  day={day}
                  shows={shows.get(day) ?? []}
                  isPastShow={isPastShow}
                  isActive={day === activeDay}
                  isToday={day === today}
                  onOpen={onOpen}
                />
              ) : (
                <td key={WEEKDAYS[column]} className="blank" />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const TARGET_DAY_BY_KEY: Record<string, ((day: string) => string) | undefined> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => addDays(day, -weekdayOf(day)),
  End: (day) => addDays(day, 6 - weekdayOf(day)),
  PageUp: (day) => addMonthsToDay(day, -1),
  PageDown: (day) => addMonthsToDay(day, 1),
}

/** The day that a key moves to. `day` if that would be before the first month; null for keys that move nothing. */
export function dayForKey(key: string, day: string): string | null {
  const target = TARGET_DAY_BY_KEY[key]?.(day)
  if (target === undefined) return null
  return compareMonths(monthOf(target), FIRST_MONTH) < 0 ? day : target
}

type DayCellProps = {
  day: string
  shows: readonly Concert[]
  isPastShow: (show: Concert) => boolean
  isActive: boolean
  isToday: boolean
  onOpen: (shows: readonly Concert[]) => void
}

/** A day of the calendar; if it has shows, a button that opens them. */
function DayCell({ day, shows, isPastShow, isActive, isToday, onOpen }: DayCellProps) {
  const [show] = shows
  const tabIndex = isActive ? 0 : -1
  const currentDate = isToday ? ({ 'aria-current': 'date' } as const) : {}
  const dayNumber = (
    <span className="tabular-figures" aria-hidden="true">
      {Number(day.slice(8))}
    </span>
  )
  if (!show)
    return (
      <td tabIndex={tabIndex} {...currentDate} className="day">
        {dayNumber}
        <span className="sr-only">{longDay(day)}</span>
      </td>
    )

  const isPast = shows.every(isPastShow)
  const state = showState(show)
  const labels = shows.map(
    (each) => `${each.venue}, ${each.city}: ${isPastShow(each) ? 'Played' : SHOW_STATE_LABELS[showState(each)]}`,
  )
  return (
    <td {...currentDate}>
      <button
        type="button"
        tabIndex={tabIndex}
        className="day"
        data-state={isPast ? 'past' : state}
        aria-haspopup="dialog"
        onClick={() => onOpen(shows)}
      >
        {dayNumber}
        <span className="sr-only">{`${longDay(day)}. ${labels.join('. ')}`}</span>
        {!isPast && <ShowStateIcon state={state} />}
        <span className="city" aria-hidden="true">
          {show.city}
        </span>
      </button>
    </td>
  )
}
