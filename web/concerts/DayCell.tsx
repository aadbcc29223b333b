import type { Concert } from '../../worker/contract/concerts'
import { longDay } from './month'
import { ShowMark, STATE_LABEL } from './ShowMark'
import { showState } from './show-facts'

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
  const figure = (
    <span className="figures" aria-hidden="true">
      {Number(day.slice(8))}
    </span>
  )
  if (!show)
    return (
      <td tabIndex={tabIndex} {...current} className="day">
        {figure}
        <span className="sr-only">{longDay(day)}</span>
      </td>
    )

  const played = shows.every(isPlayed)
  const state = showState(show)
  const said = shows.map((s) => `${s.venue}, ${s.city}: ${isPlayed(s) ? 'Played' : STATE_LABEL[showState(s)]}`)
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
        {figure}
        <span className="sr-only">{`${longDay(day)}. ${said.join('. ')}`}</span>
        {!played && <ShowMark state={state} />}
        <span className="city" aria-hidden="true">
          {show.city}
        </span>
      </button>
    </td>
  )
}
