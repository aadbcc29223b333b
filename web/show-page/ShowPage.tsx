import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { ShowPage as Show } from '../../worker/contract/concerts'
import { SHOW_IMAGE } from '../../worker/contract/images'
import { ApiError } from '../api/call'
import { ANONYMOUS_DATA_UPDATED_AT } from '../auth/auth.queries'
import { CheckInPanel } from '../check-in/CheckInPanel'
import { checkInState } from '../check-in/check-in-times'
import { longDay, posterDay } from '../concerts/month'
import { ShowLinks } from '../concerts/ShowLinks'
import { ShowPrompts } from '../concerts/ShowPrompts'
import { doorPrice, showTimes, ticketLabel } from '../concerts/show-format'
import { showPage } from '../concerts/show-page.queries'
import { NotFoundPage } from '../layout/NotFoundPage'
import { SectionLink } from '../layout/SectionLink'
import { useNow } from '../lib/useNow'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { Skeleton } from '../ui/Skeleton'
import { GoingPanel } from './GoingPanel'

/** /shows/{id}: everything about one show, and its door. */
export function ShowPage() {
  const { id } = useParams({ from: '/shows/$id' })
  const { data: show, dataUpdatedAt, error, refetch, isFetching } = useQuery(showPage(id))
  // The worker drew it for anybody, as of its last turn: what is one's own comes now, and the server's clock.
  const isAnybodys = dataUpdatedAt === ANONYMOUS_DATA_UPDATED_AT
  useEffect(() => {
    if (isAnybodys) void refetch()
  }, [isAnybodys, refetch])
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="page-grid pt-6 pb-20">
      {show ? (
        <ShowDetails show={show} ahead={isAnybodys ? 0 : Date.parse(show.now) - dataUpdatedAt} />
      ) : error ? (
        <div className="col-span-full py-16">
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The show could not be fetched.
          </LoadError>
        </div>
      ) : (
        <Skeleton className="col-span-full mb-14 h-[44rem]" label="Fetching the show" />
      )}
    </main>
  )
}

/** `ahead`: by so many milliseconds the server's clock is ahead of this one; it decides what is open and over. */
function ShowDetails({ show, ahead }: { show: Show; ahead: number }) {
  const { weekday, month, day } = posterDay(show.date)
  const now = useNow(60_000) + ahead
  const isOver = now >= Date.parse(show.endsAt)
  // Whoever stands at the door has come for the door: it is the first thing on the page while it is open.
  const [isDoorFirst] = useState(() => checkInState(show.checkIn, now) === 'open')
  const door = (
    <PageSection title="At the door" className={isDoorFirst ? 'mb-10' : 'lg:col-span-7 lg:pr-10'}>
      <CheckInPanel show={show} ahead={ahead} />
    </PageSection>
  )
  const facts = [
    ['Time', showTimes(show)],
    ['At the door', doorPrice(show.price)],
    ['Tickets', isOver ? 'Played' : ticketLabel(show)],
  ]
  return (
    <>
      {isDoorFirst && door}
      <article aria-labelledby="show-venue" className="next-show">
        <ResponsiveImage
          src={show.imageUrl}
          alt={show.imageAlt}
          width={SHOW_IMAGE.width}
          height={SHOW_IMAGE.height}
          sizes={SHOW_IMAGE.sizes}
          eager
          className="next-show-art"
        />
        <div className="next-show-bill">
          <p className="show-label mb-3 inline-block foil px-3 py-1 font-label">{isOver ? 'PLAYED' : 'LIVE'}</p>
          <p>
            <time dateTime={show.startsAt} className="next-show-date">
              <span className="sr-only">{longDay(show.date)}</span>
              <span aria-hidden="true" className="figures foil-text font-display next-show-day">
                {day}
              </span>
              <span aria-hidden="true" className="next-show-month">
                <span className="font-display">{month}</span>
                <span className="font-label text-gold">{weekday}</span>
              </span>
            </time>
          </p>
          <h1
            id="show-venue"
            className="font-display text-[clamp(1.75rem,0.6rem+4.4vw,4.25rem)] leading-[0.95] break-words"
          >
            {show.venue}
          </h1>
          <p className="mt-3 text-lg">{show.city}</p>
          <p className="text-muted">{show.address}</p>
        </div>
        <div className="next-show-stub">
          <dl className="grid grid-cols-2 gap-x-8 gap-y-3 md:flex md:gap-x-12">
            {facts.map(([term, value]) => (
              <div key={term} className="first:col-span-2">
                <dt className="font-label text-muted">{term}</dt>
                <dd className="figures text-lg font-semibold">{value}</dd>
              </div>
            ))}
          </dl>
          <ShowLinks show={show} />
        </div>
      </article>
      {!isDoorFirst && door}
      <PageSection title="Who is going" className={isDoorFirst ? '' : 'mt-14 lg:col-span-5 lg:mt-0'}>
        <GoingPanel show={show} isOver={isOver} />
      </PageSection>
      <div className="col-span-full mt-14 flex flex-wrap items-center gap-3 border-t border-rule pt-8 max-xs:grid">
        <ShowPrompts />
        <SectionLink section="concerts" className={buttonClass('quiet', 'xs:-ml-3')}>
          All shows
        </SectionLink>
      </div>
    </>
  )
}

function PageSection({ title, className, children }: { title: string; className: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`col-span-full ${className}`}>
      <h2 id={id} className="mb-5 border-t-2 border-gold pt-4 font-display text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
