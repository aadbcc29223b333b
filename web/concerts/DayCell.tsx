import type { Concert } from '../../worker/contract/concerts'
import { longDay } from './month'
import { ShowStateIcon, STATE_LABEL } from './ShowStateIcon'
import { showState } from './show-format'

type Props = {
  day: string
  /** The shows of this day, most often none. */
  shows: readonly Concert[]
  isPlayed: (show: Concert) => boolean
  isActive: boolean
  isToday: boolean
  onOpen: (shows: readonly Concert[]) => void
}

/** A day as a tile; one with a show is a button that opens it. */
export function DayCell({ day, shows, isPlayed, isActive, isToday, onOpen }: Props) {
  const [show] = shows
  const tabIndex = isActive ? 0 : -1
  const current = isToday ? ({ 'aria-current': 'date' } as const) : {}
  const dayNumber = (
    <span className="figures" aria-hidden="true">
      {Number(day.slice(8))}
    </span>
  )
  if (!show)
    return (
      <td tabIndex={tabIndex} {...current} className="day">
        {dayNumber}
        <span className="sr-only">{longDay(day)}</span>
      </td>
    )

  const played = shows.every(isPlayed)
  const state = showState(show)
  const label = shows.map((s) => `${s.venue}, ${s.city}: ${isPlayed(s) ? 'Played' : STATE_LABEL[showState(s)]}`)
  return (
    <td {...current}>
      <button
        type="button"
        tabIndex={tabIndex}
        className="day"
        data-state={played ? 'played' : state}
        aria-haspopup="dialog"
        onClick={() => onOpen(shows)}
      >
        {dayNumber}
        <span className="sr-only">{`${longDay(day)}. ${label.join('. ')}`}</span>
        {!played && <ShowStateIcon state={state} />}
        <span className="city" aria-hidden="true">
          {show.city}
        </span>
      </button>
    </td>
  )
}
