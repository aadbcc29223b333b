import type { HallOfFameEntry } from '../../worker/contract/hall-of-fame'
import { calendarDate } from '../lib/format'

/** The challenge's days, in their order (ruling 4). */
export function ChallengeTimeline({ timeline }: { timeline: HallOfFameEntry['timeline'] }) {
  return (
    <ol className="max-w-3xl border-l-2 border-gold">
      {timeline.map(({ label, date }) => (
        <li key={label} className="relative py-4 pl-8">
          <span aria-hidden="true" className="absolute top-6 -left-[7px] size-3 rounded-full bg-gold" />
          <p className="font-semibold">{label}</p>
          <p className="figures text-muted">
            <time dateTime={date}>{calendarDate(date)}</time>
          </p>
        </li>
      ))}
    </ol>
  )
}
