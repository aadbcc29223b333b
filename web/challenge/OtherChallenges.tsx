import { Link } from '@tanstack/react-router'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { calendarDate } from '../lib/format'
import { ChallengePageSection } from './ChallengePageSection'

/** The challenges that are over: each keeps its result, its tally and the way to count it again. */
export function OtherChallenges({ challenges }: { challenges: PublicChallenge['others'] }) {
  return (
    <ChallengePageSection title="Other results" id="results">
      <ul>
        {challenges.map(({ id, title, date }) => (
          <li key={id} className="border-b border-rule">
            <Link
              to="/challenge/$id"
              params={{ id }}
              className="flex min-h-11 flex-wrap items-baseline justify-between gap-x-6 py-3 hover:text-gold-bright"
            >
              <span className="font-semibold wrap-anywhere">{title}</span>
              <time dateTime={date} className="figures text-sm text-muted">
                {calendarDate(date)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </ChallengePageSection>
  )
}
