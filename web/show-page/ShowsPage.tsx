import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Concert } from '../../worker/contract/concerts'
import { longDay } from '../concerts/calendar'
import { allConcerts, upcomingConcerts } from '../concerts/concerts.queries'
import { ShowRequests } from '../concerts/ShowPrompts'
import { EmptyPoster, TourPoster } from '../concerts/TourPoster'
import { useSite } from '../site/site.queries'
import { QueryBoundary } from '../ui/QueryBoundary'

export const preloadShows = (queryClient: QueryClient) =>
  Promise.all([queryClient.ensureQueryData(upcomingConcerts), queryClient.ensureQueryData(allConcerts)])

const LOADING_SHOWS = { className: 'h-[44rem]', label: 'Loading the shows' }

/** /shows: the upcoming shows as a tour poster, and the past ones. */
export function ShowsPage() {
  const upcoming = useQuery(upcomingConcerts)
  const all = useQuery(allConcerts)
  const artist = useSite()?.artist.name ?? ''
  /** Without the upcoming shows, the device's time decides. */
  const isPast = ({ id, endsAt }: Concert) =>
    upcoming.data ? !upcoming.data.some((show) => show.id === id) : Date.parse(endsAt) <= Date.now()
  return (
    <main id="content" tabIndex={-1} className="page-grid items-start gap-y-14 pt-10 pb-24 md:pt-16">
      <h1 className="col-span-full font-display text-title">Shows</h1>
      <div className="col-span-full lg:col-span-7">
        <QueryBoundary query={upcoming} loading={LOADING_SHOWS} error="The shows could not be loaded.">
          {(shows) =>
            shows.length > 0 ? (
              <TourPoster shows={shows} artist={artist} headingLevel="h2" />
            ) : (
              <EmptyPoster headingLevel="h2" />
            )
          }
        </QueryBoundary>
        <ShowRequests />
      </div>
      <section aria-labelledby="past-shows" className="col-span-full lg:col-span-5 lg:pl-6">
        <h2 id="past-shows" className="border-t-2 border-gold pt-4 font-display text-xl">
          Played
        </h2>
        {!upcoming.isPending && (
          <QueryBoundary query={all} loading={LOADING_SHOWS} error="The past shows could not be loaded.">
            {(shows) => <PastShows shows={shows.filter(isPast).toReversed()} />}
          </QueryBoundary>
        )}
      </section>
    </main>
  )
}

function PastShows({ shows }: { shows: readonly Concert[] }) {
  if (shows.length === 0) return <p className="mt-4 text-muted">No past shows yet.</p>
  return (
    <ol className="mt-5 border-b border-rule">
      {shows.map((show) => (
        <li key={show.id} className="border-t border-rule">
          <Link
            to="/shows/$show"
            params={{ show: show.slug }}
            className="grid gap-1 py-4 transition duration-200 ease-out hover:text-gold-bright"
          >
            <span className="text-lg leading-tight font-semibold wrap-anywhere">
              {show.venue}, {show.city}
            </span>
            <time dateTime={show.startsAt} className="tabular-figures text-sm text-muted">
              {longDay(show.date)}
            </time>
          </Link>
        </li>
      ))}
    </ol>
  )
}
