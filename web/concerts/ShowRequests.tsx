import { buttonClass } from '../ui/Button'
import { ShowPrompts } from './ShowPrompts'

/** Show alerts, city requests and the calendar subscription. */
export function ShowRequests() {
  return (
    <div className="mt-8 flex flex-wrap items-center gap-3 max-xs:grid">
      <ShowPrompts />
      <a href="/shows.ics" className={buttonClass('text', 'xs:-ml-3')}>
        All shows in your calendar
      </a>
    </div>
  )
}
