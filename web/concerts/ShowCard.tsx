import type { CSSProperties, ReactNode } from 'react'
import type { Concert } from '../../worker/contract/concerts'
import { SHOW_IMAGE } from '../../worker/contract/images'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { longDay, posterDay } from './calendar'
import { ShowLinks } from './ShowLinks'
import { doorPrice, showTimes } from './show-format'

type Props = {
  show: Concert
  /** Id of the element, in `label` or `venue`, that is the card's accessible name. */
  labelledBy: string
  /** State of the ticket sale, such as 'Sold Out'. */
  tickets: string
  label: ReactNode
  venue: ReactNode
  eager?: boolean
  placeholders?: ShowPlaceholders
}

/** Texts for details that are not entered yet, in the preview of a form. */
export type ShowPlaceholders = Partial<Record<'date' | 'time' | 'price', string | undefined>>

export function ShowCard({ show, labelledBy, tickets, label, venue, eager = false, placeholders = {} }: Props) {
  const { weekday, month, day } = posterDay(show.date)
  const details = [
    ['Time', placeholders.time ?? showTimes(show)],
    ['At the door', placeholders.price ?? doorPrice(show.price)],
    ['Tickets', tickets],
  ]
  return (
    <article aria-labelledby={labelledBy} className="next-show">
      <ResponsiveImage
        src={show.imageUrl}
        alt={show.imageAlt}
        width={SHOW_IMAGE.width}
        height={SHOW_IMAGE.height}
        sizes={SHOW_IMAGE.sizes}
        eager={eager}
        className="next-show-art"
      />
      <div className="next-show-text">
        {label}
        {placeholders.date ? (
          <p className="next-show-date next-show-month font-display">{placeholders.date}</p>
        ) : (
          <p>
            <time dateTime={show.startsAt} className="next-show-date">
              <span className="sr-only">{longDay(show.date)}</span>
              <span
                aria-hidden="true"
                className="tabular-figures foil-text font-display next-show-day"
                style={{ '--digits': day.length } as CSSProperties}
              >
                {day}
              </span>
              <span aria-hidden="true" className="next-show-month">
                <span className="font-display">{month}</span>
                <span className="font-label text-gold">{weekday}</span>
              </span>
            </time>
          </p>
        )}
        {venue}
        <p className="mt-3 text-lg">{show.city}</p>
        <p className="text-muted">{show.address}</p>
      </div>
      <div className="next-show-footer">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 md:flex md:gap-x-12">
          {details.map(([term, value]) => (
            <div key={term} className="first:col-span-2">
              <dt className="font-label text-muted">{term}</dt>
              <dd className="tabular-figures text-lg font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        <ShowLinks show={show} />
      </div>
    </article>
  )
}
