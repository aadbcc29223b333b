import '../styles/challenge-timeline.css'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { calendarDate } from '../lib/format'
import { passedStages } from './challenge-text'

/** The challenge's days as a row of marks: gold behind it, hollow ahead of it. */
export function Stages({ challenge, now }: { challenge: PublicChallenge; now: number }) {
  const passedCount = passedStages(challenge, now)
  return (
    <section aria-label="Timeline" className="challenge-days">
      <ol className="stages">
        {challenge.timeline.map(({ label, date }, index) => (
          <li
            key={label}
            className="stage"
            data-passed={index < passedCount || undefined}
            aria-current={index === passedCount - 1 ? 'step' : undefined}
          >
            <span className="font-semibold">{label}</span>
            <time dateTime={date} className="figures text-sm text-muted">
              {calendarDate(date)}
            </time>
            <span className="sr-only">{index < passedCount ? 'Done' : 'To come'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
