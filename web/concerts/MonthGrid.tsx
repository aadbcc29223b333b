import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Concert } from '../../worker/contract/concerts'
import { WEEKDAYS } from '../lib/format'
import { DayCell } from './DayCell'
import { type Month, weeksOf } from './month'
import { dayAfterKey } from './month-keys'

type Props = {
  month: Month
  /** The id of the heading that names the month. */
  labelledBy: string
  /** Shows by their venue-local day. */
  shows: ReadonlyMap<string, readonly Concert[]>
  isPlayed: (show: Concert) => boolean
  /** The one day that Tab reaches; arrows move it. */
  activeDay: string
  today: string | null
  onMove: (day: string) => void
  onOpen: (shows: readonly Concert[]) => void
}

/** A month as a grid (ARIA Authoring Practices, grid pattern): one tab stop, the arrows move, Enter opens a show. */
export function MonthGrid({ month, labelledBy, shows, isPlayed, activeDay, today, onMove, onOpen }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const moved = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: focus follows the active day, into another month too.
  useEffect(() => {
    if (moved.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    moved.current = false
  }, [activeDay])

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = dayAfterKey(event.key, activeDay)
    if (target === null) return
    event.preventDefault()
    if (target === activeDay) return
    moved.current = true
    onMove(target)
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the APG grid pattern on a real table.
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
                  isPlayed={isPlayed}
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
