import { Link } from '@tanstack/react-router'
import type { Concert } from '../../worker/contract/concerts'
import { POINTS } from '../../worker/contract/points'
import { longDay, posterDay } from './calendar'
import { SHOW_STATE_LABELS, ShowStateIcon } from './ShowStateIcon'
import { doorPrice, showState, ticketLabel } from './show-format'

type Props = {
  /** Upcoming shows, at least one. */
  shows: readonly Concert[]
  artist: string
  /** 'h2' on the page of all shows. */
  headingLevel?: 'h2' | 'h3'
}

/** The upcoming shows as a printed tour poster. */
export function TourPoster({ shows, artist, headingLevel: Heading = 'h3' }: Props) {
  return (
    <div className="tour-poster">
      <div aria-hidden="true" className="tour-poster-sun disc" />
      <Heading>
        <span className="tour-poster-name block font-display">{artist}</span>
        <span className="mt-3 block font-label">Upcoming shows</span>
      </Heading>
      <ol className="mt-auto border-b-4 border-background pt-8">
        {shows.map((show) => (
          <li key={show.id} className="border-t-2 border-background first:border-t-4">
            <PosterLine show={show} />
          </li>
        ))}
      </ol>
      <p className="mt-4 text-sm">
        Tickets at the door only. <strong>Check in at a show for +{POINTS.check_in} points.</strong>
      </p>
    </div>
  )
}

/** Shown in place of the poster while there is no upcoming show. */
export function EmptyPoster({ headingLevel: Heading = 'h3' }: Pick<Props, 'headingLevel'>) {
  return (
    <div className="tour-poster">
      <div aria-hidden="true" className="tour-poster-sun disc" />
      <Heading className="mt-auto pt-56 font-display text-2xl">No dates yet</Heading>
      <p className="mt-3 max-w-[22rem]">
        No shows are announced right now. Get an alert, or request a show in your city.
      </p>
    </div>
  )
}

function PosterLine({ show }: { show: Concert }) {
  const { month, day } = posterDay(show.date)
  const state = showState(show)
  return (
    <Link to="/shows/$show" params={{ show: show.slug }} className="poster-row">
      <span className="sr-only">{longDay(show.date)}</span>
      <span aria-hidden="true" className="tabular-figures poster-row-date">
        <span className="font-label">{month}</span>
        <span className="font-display text-2xl leading-none">{day}</span>
      </span>
      <span className="poster-row-city font-display text-xl" data-sold-out={show.isSoldOut || undefined}>
        {show.city}
      </span>
      <span className="tabular-figures poster-row-price font-semibold">{doorPrice(show.price)}</span>
      <span className="poster-row-venue text-sm">{show.venue}</span>
      <span className="poster-row-state" data-state={state}>
        <ShowStateIcon state={state} size={14} />
        {state === 'vip' && ticketLabel(show) === 'Available' ? SHOW_STATE_LABELS.vip : ticketLabel(show)}
      </span>
    </Link>
  )
}
