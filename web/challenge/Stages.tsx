import '../styles/stages.css'
import type { CurrentChallenge } from '../../worker/contract/challenge-now'
import { calendarDate } from '../lib/calendar-date'
import { stagesPassed } from './challenge-words'

/** The challenge's days as a row of marks: gold behind it, hollow ahead of it. */
export function Stages({ challenge, now }: { challenge: CurrentChallenge; now: number }) {
  const passed = stagesPassed(challenge, now)
  return (
    <section aria-label="Timeline" className="challenge-days">
      <ol className="stages">
        {challenge.timeline.map(({ label, date }, at) => (
          <li
            key={label}
            className="stage"
            data-passed={at < passed || undefined}
            aria-current={at === passed - 1 ? 'step' : undefined}
          >
            <span className="font-semibold">{label}</span>
            <time dateTime={date} className="figures text-sm text-muted">
              {calendarDate(date)}
            </time>
            <span className="sr-only">{at < passed ? 'Done' : 'To come'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
