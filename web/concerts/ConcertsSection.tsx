import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Concert } from '../../worker/contract/concerts'
import { HallOfFame } from '../challenge/HallOfFame'
import { formatCountOf } from '../lib/format'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { lazyDialog } from '../ui/lazy'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'
import { upcomingConcerts } from './concerts.queries'
import { ShowCalendar } from './ShowCalendar'
import { ShowCard, type ShowPlaceholders } from './ShowCard'
import { ShowPrompts } from './ShowPrompts'
import { isPastShow, ticketLabel } from './show-format'
import { EmptyPoster, TourPoster } from './TourPoster'

const ShowDialog = lazyDialog(() => import('./ShowDialog').then((m) => m.ShowDialog))

/** Home page section: the next show, a poster of the first shows, the calendar, show alerts, the hall of fame. */
export function ConcertsSection() {
  const query = useQuery(upcomingConcerts)
  const { data: shows, isError } = query
  return (
    <Section
      id="concerts"
      isNumbered
      title="Live Shows"
      note={shows && shows.length > 0 ? formatCountOf(shows.length, 'show') : undefined}
    >
      <QueryBoundary
        query={query}
        loading={
          <>
            <Skeleton className="col-span-full mb-16 h-[44rem]" label="Loading the shows" />
            <Skeleton className="col-span-full mb-14 h-[50rem] lg:col-span-5 lg:mb-0" />
            <Skeleton className="col-span-full h-[38rem] lg:col-span-7" />
          </>
        }
        error="The shows could not be loaded."
        errorClassName="col-span-full"
      >
        {(upcoming) => <Shows upcoming={upcoming} />}
      </QueryBoundary>
      {isError && !shows && (
        <div className="col-span-full">
          <MoreShows />
        </div>
      )}
      <HallOfFame />
    </Section>
  )
}

const MAX_POSTER_SHOWS = 3

function Shows({ upcoming }: { upcoming: readonly Concert[] }) {
  const artist = useSite()?.artist.name ?? ''
  const [dialogShows, setDialogShows] = useState<readonly Concert[] | null>(null)
  const [nextShow] = upcoming
  return (
    <>
      {nextShow && <NextShow show={nextShow} />}
      <div className="col-span-full mb-10 lg:col-span-5 lg:mb-0">
        {nextShow ? <TourPoster shows={upcoming.slice(0, MAX_POSTER_SHOWS)} artist={artist} /> : <EmptyPoster />}
      </div>
      <div className="col-span-full lg:col-span-7 lg:pl-6">
        <ShowCalendar upcoming={upcoming} onOpen={setDialogShows} />
        <MoreShows />
      </div>
      {dialogShows && (
        <Suspense>
          <ShowDialog
            shows={dialogShows}
            isPastShow={(show) => isPastShow(show, upcoming)}
            onClose={() => setDialogShows(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Buttons for show alerts and city requests, and a link to all shows. */
function MoreShows() {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3 md:mt-8">
      <ShowPrompts />
      <Link to="/shows" className={buttonClass('text', '-ml-3 md:ml-0')}>
        All shows
      </Link>
    </div>
  )
}

export function NextShow({ show, placeholders }: { show: Concert; placeholders?: ShowPlaceholders }) {
  return (
    <ShowCard
      show={show}
      placeholders={placeholders}
      labelledBy="next-show"
      tickets={ticketLabel(show)}
      label={
        <h3 id="next-show" className="mb-3 inline-block foil px-3 py-1 font-label">
          NEXT SHOW
        </h3>
      }
      venue={
        <p className="font-display text-[clamp(2rem,1rem+4vw,4.25rem)] leading-[0.95]">
          <Link
            to="/shows/$show"
            params={{ show: show.slug }}
            className="underline-offset-8 wrap-anywhere hover:text-gold-bright hover:underline"
          >
            {show.venue}
          </Link>
        </p>
      }
    />
  )
}
