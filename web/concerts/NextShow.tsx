import { Link } from '@tanstack/react-router'
import type { Concert } from '../../worker/contract/concerts'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { longDay, posterDay } from './month'
import { ShowLinks } from './ShowLinks'
import { doorPrice, showTimes, ticketLabel } from './show-format'

export function NextShow({ show }: { show: Concert }) {
  const { weekday, month, day } = posterDay(show.date)
  return (
    <article aria-labelledby="next-show" className="next-show">
      <ResponsiveImage
        src={show.imageUrl}
        alt={show.imageAlt}
        width={1600}
        height={1067}
        sizes="(width < 48rem) 100vw, 72vw"
        className="next-show-art"
      />
      <div className="next-show-bill">
        <h3 id="next-show" className="mb-3 inline-block foil px-3 py-1 font-label">
          NEXT SHOW
        </h3>
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
        <p className="font-display text-[clamp(2rem,1rem+4vw,4.25rem)] leading-[0.95]">
          <Link
            to="/shows/$id"
            params={{ id: show.id }}
            className="underline-offset-8 hover:text-gold-bright hover:underline"
          >
            {show.venue}
          </Link>
        </p>
        <p className="mt-3 text-lg">{show.city}</p>
        <p className="text-muted">{show.address}</p>
      </div>
      <div className="next-show-stub">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 md:flex md:gap-x-12">
          <Fact term="Time" value={showTimes(show)} />
          <Fact term="At the door" value={doorPrice(show.price)} />
          <Fact term="Tickets" value={ticketLabel(show)} />
        </dl>
        <ShowLinks show={show} />
      </div>
    </article>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div className="first:col-span-2">
      <dt className="font-label text-muted">{term}</dt>
      <dd className="figures text-lg font-semibold">{value}</dd>
    </div>
  )
}
