import { Link } from '@tanstack/react-router'
import type { Concert } from '../../worker/contract/concerts'
import { SHOW_IMAGE } from '../../worker/contract/images'
import { POINTS } from '../../worker/contract/points'
import { buttonClass } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { longDay, posterDay } from './calendar'
import { ShowLinks } from './ShowLinks'
import { addressWithCity, doorPrice, showTimes, ticketLabel } from './show-format'

type Props = {
  /** The shows of one day, at least one. */
  shows: readonly Concert[]
  isPastShow: (show: Concert) => boolean
  onClose: () => void
}

export function ShowDialog({ shows, isPastShow, onClose }: Props) {
  return (
    <Dialog title={`Show details: ${shows.map((show) => show.venue).join(', ')}`} onClose={onClose}>
      {shows.map((show) => (
        <ShowDetails key={show.id} show={show} isPast={isPastShow(show)} />
      ))}
    </Dialog>
  )
}

function ShowDetails({ show, isPast }: { show: Concert; isPast: boolean }) {
  const { weekday, month, day } = posterDay(show.date)
  const details = [
    ['Address', addressWithCity(show)],
    ['Date', longDay(show.date)],
    ['Time', showTimes(show)],
    ['Price', doorPrice(show.price)],
    ['Tickets', isPast ? 'Played' : ticketLabel(show)],
  ]
  return (
    <article className="grid md:grid-cols-[2fr_3fr]">
      <div className="relative">
        <ResponsiveImage
          src={show.imageUrl}
          alt={show.imageAlt}
          width={SHOW_IMAGE.width}
          height={SHOW_IMAGE.height}
          sizes="(width < 48rem) 100vw, 24rem"
          className="h-44 w-full object-cover md:h-full"
        />
        <p aria-hidden="true" className="show-date-badge">
          <span>{weekday}</span>
          <span className="tabular-figures">{day}</span>
          <span>{month}</span>
        </p>
      </div>
      <div className="p-6 md:p-9">
        <h3 className="mr-10 font-display text-2xl">{show.venue}</h3>
        <dl className="mt-6 grid grid-cols-[auto_1fr] gap-x-6">
          {details.map(([term, value]) => (
            <div key={term} className="col-span-full grid grid-cols-subgrid border-t border-rule py-2.5">
              <dt className="font-label leading-6 text-muted">{term}</dt>
              <dd className="tabular-figures leading-6">{value}</dd>
            </div>
          ))}
        </dl>
        {!isPast && (
          <>
            <p className="mt-2 border-t border-rule pt-4 text-sm text-muted">
              Tickets at the door only, none online.{' '}
              <strong className="font-semibold text-gold">Check in at the show for +{POINTS.check_in} points.</strong>
            </p>
            <ShowLinks show={show} className="mt-6" />
          </>
        )}
        <Link to="/shows/$show" params={{ show: show.slug }} className={buttonClass('text', '-ml-3 mt-4')}>
          Show page
        </Link>
      </div>
    </article>
  )
}
