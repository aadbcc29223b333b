import '../styles/community.css'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { PublicChallenge } from '../../worker/contract/challenge'
import { NotFoundPage } from '../layout/ErrorPage'
import { usePageTitle } from '../layout/page-title'
import { formatCalendarDate } from '../lib/format'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { EmptyPanel } from '../ui/EmptyPanel'
import { QueryBoundary } from '../ui/QueryBoundary'
import { ChallengePageSection } from './ChallengePageSection'
import { challengeById, currentChallenge } from './challenge.queries'
import { countPassedTimelineEntries, formatTimeLeft, PHASE_LABELS, statusText } from './challenge-text'
import { FinalistsSection } from './FinalistsSection'
import { MyVerseSection, VerseFormSection } from './MyVerseSection'
import { ResultSection, TallySection } from './ResultSection'
import { VersePlayer } from './VersePlayer'

/** /challenge: the running challenge or the last one. */
export function ChallengePage() {
  const query = useQuery(currentChallenge)
  return query.data === null ? <NoChallenge /> : <ChallengeLayout query={query} />
}

/** /challenge before the first challenge. */
const NoChallenge = () => (
  <main id="content" tabIndex={-1} className="page-grid gap-y-10 pt-10 pb-24 md:pt-16">
    <h1 className="col-span-full font-display text-title">Verse Challenge</h1>
    <EmptyPanel title="The booth is empty" headingLevel="h2">
      <p>
        A challenge comes with a beat and its dates: you send a verse, supporters vote for a finalist, and anyone can
        recount the votes. Leave your email, and you hear when the first one opens.
      </p>
      <Link to="/" hash="newsletter" className={buttonClass('primary')}>
        Get the newsletter
      </Link>
    </EmptyPanel>
  </main>
)

/** /challenge/{id}: one challenge. */
export function ChallengeByIdPage() {
  const { id } = useParams({ from: '/challenge/$id' })
  const { data: latest } = useQuery(currentChallenge)
  return <ChallengeLayout query={useQuery(challengeById(id))} latest={latest?.id === id ? null : latest} />
}

type Props = {
  query: UseQueryResult<PublicChallenge | null>
  /** The challenge that /challenge shows, if it is another one; the page links to it. */
  latest?: PublicChallenge | null | undefined
}

function ChallengeLayout({ query, latest }: Props) {
  usePageTitle(query.data?.title)
  if (query.data === null) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="challenge">
      <div className="page-grid pt-10 pb-24 md:pt-16">
        <QueryBoundary
          query={query}
          loading={{ className: 'col-span-full h-[44rem]', label: 'Loading the challenge' }}
          error="The challenge could not be loaded."
          errorClassName="col-span-full py-16"
        >
          {(challenge) =>
            challenge && (
              <>
                {latest && <LatestChallengeNotice challenge={latest} />}
                <ChallengeContent challenge={challenge} />
              </>
            )
          }
        </QueryBoundary>
      </div>
    </main>
  )
}

function ChallengeContent({ challenge }: { challenge: PublicChallenge }) {
  const { id, state, seal, results, rules, beatUrl, others } = challenge
  const now = useNow(15_000)
  return (
    <>
      <ChallengeHeader challenge={challenge} now={now} />
      <ChallengeTimeline challenge={challenge} now={now} />
      <PrizeAndRules prize={challenge.prize} rules={rules} />
      <div className="challenge-main">
        {results && <ResultSection results={results} />}
        {beatUrl !== null && <BeatSection beatUrl={beatUrl} title={challenge.title} />}
        {state === 'submissions' && <VerseFormSection challenge={challenge} />}
        {state === 'finalists' && <MyVerseSection challenge={challenge} />}
        {challenge.finalists.length > 0 && <FinalistsSection challenge={challenge} />}
        {seal && <TallySection id={id} seal={seal} results={results} />}
        {others.length > 0 && <OtherChallenges challenges={others} />}
      </div>
    </>
  )
}

export const PrizeAndRules = ({ prize, rules }: Pick<PublicChallenge, 'prize' | 'rules'>) => (
  <aside aria-label="Prize and rules" className="challenge-side">
    <ChallengePageSection title="The prize">
      <p className="text-lg text-balance">{prize}</p>
    </ChallengePageSection>
    <ChallengePageSection title="The rules" id="rules">
      {rules === '' ? (
        <p className="text-muted">One verse per person, and one vote per supporter.</p>
      ) : (
        <div className="grid max-w-prose gap-4">
          {rules.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph} className="whitespace-pre-line wrap-anywhere">
              {paragraph}
            </p>
          ))}
        </div>
      )}
    </ChallengePageSection>
  </aside>
)

/** The beat for the verses, to play and to download. Playing it does not count as a stream. */
function BeatSection({ beatUrl, title }: { beatUrl: string; title: string }) {
  return (
    <ChallengePageSection title="The beat" id="beat">
      <VersePlayer src={beatUrl} name={`the beat of ${title}`} />
      <a href={`${beatUrl}?download`} download className={buttonClass('outline', 'mt-4')}>
        <Download size={18} aria-hidden /> Download the beat
      </a>
    </ChallengePageSection>
  )
}

type HeaderProps = {
  challenge: PublicChallenge
  now: number
  /** Replaces the text and the countdown, for a draft without dates. */
  placeholder?: string
}

/** Title, state and countdown. */
export function ChallengeHeader({ challenge, now, placeholder }: HeaderProps) {
  const { text, countdown } = placeholder ? { text: placeholder, countdown: null } : statusText(challenge, now)
  // Splits 'A Challenge: Second Half' into title and subtitle.
  const [title = '', ...rest] = challenge.title.split(': ')
  const subtitle = rest.join(': ')
  return (
    <header className="challenge-head">
      <div aria-hidden="true" className="disc challenge-disc" />
      <p className="font-label text-gold">Verse challenge</p>
      <h1 className="mt-3 max-w-5xl font-display text-title wrap-anywhere text-balance">
        {title}
        {subtitle !== '' && (
          <>
            <span className="sr-only">: </span>
            <span className="mt-2 block text-[0.6em] leading-tight">{subtitle}</span>
          </>
        )}
      </h1>
      <div className="mt-8 flex flex-wrap items-end gap-x-14 gap-y-6">
        <div role="status" className="max-w-prose">
          <p className="inline-block bg-gold px-3 py-1 font-label text-background">{PHASE_LABELS[challenge.state]}</p>
          <p className="tabular-figures mt-4 text-lg text-balance">{text}</p>
        </div>
        {countdown && (
          <p>
            <span className="tabular-figures foil-text block font-display text-[clamp(2.5rem,1.6rem+3vw,4.5rem)] leading-none">
              {formatTimeLeft(Date.parse(countdown.at) - now)}
            </span>
            <span className="mt-2 block font-label text-muted">{countdown.label}</span>
          </p>
        )}
      </div>
    </header>
  )
}

function LatestChallengeNotice({ challenge: { title, state } }: { challenge: PublicChallenge }) {
  return (
    <nav aria-label="The latest challenge" className="challenge-latest">
      <p className="wrap-anywhere">
        <span className="mr-3 font-label text-gold">{PHASE_LABELS[state]}</span>
        {title}
      </p>
      <Link to="/challenge" className={buttonClass('outline')}>
        {state === 'published' ? 'Go to the latest challenge' : 'Go to the current challenge'}
      </Link>
    </nav>
  )
}

/** Finished challenges with links to their results. */
function OtherChallenges({ challenges }: { challenges: PublicChallenge['others'] }) {
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
              <time dateTime={date} className="tabular-figures text-sm text-muted">
                {formatCalendarDate(date)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </ChallengePageSection>
  )
}

function ChallengeTimeline({ challenge, now }: { challenge: PublicChallenge; now: number }) {
  const passedCount = countPassedTimelineEntries(challenge, now)
  return (
    <section aria-label="Timeline" className="challenge-days">
      <ol className="challenge-timeline">
        {challenge.timeline.map(({ label, date }, index) => (
          <li
            key={label}
            className="challenge-timeline-entry"
            data-passed={index < passedCount || undefined}
            aria-current={index === passedCount - 1 ? 'step' : undefined}
          >
            <span className="font-semibold">{label}</span>
            <time dateTime={date} className="tabular-figures text-sm text-muted">
              {formatCalendarDate(date)}
            </time>
            <span className="sr-only">{index < passedCount ? 'Done' : 'Upcoming'}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
