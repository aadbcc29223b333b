import { clsx } from 'clsx'
import { CalendarPlus, Navigation } from 'lucide-react'
import type { Concert } from '../../worker/contract/concerts'
import { POINTS } from '../../worker/contract/points'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { addressWithCity, entryText } from './show-format'

/** Lets two links fit side by side on a phone. */
const compactLinkClass = 'max-xs:grow max-xs:px-2! max-xs:tracking-normal max-xs:[font-stretch:100%]'

export function ShowLinks({ show, className }: { show: Concert; className?: string }) {
  const artist = useSite()?.artist.name ?? ''
  return (
    <div className={clsx('next-show-links flex flex-wrap items-center gap-3', className)}>
      <a
        href={calendarUrl(show, artist)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass('primary', compactLinkClass)}
      >
        <CalendarPlus size={18} aria-hidden />
        Add to Calendar
      </a>
      <a
        href={directionsUrl(show)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass('outline', compactLinkClass)}
      >
        <Navigation size={18} aria-hidden />
        Get Directions
      </a>
      <a
        href={`/api/concerts/${encodeURIComponent(show.id)}/event.ics`}
        className={buttonClass('text', 'max-xs:-ml-3')}
      >
        Calendar file
      </a>
    </div>
  )
}

const compactTimestamp = (timestamp: string) => new Date(timestamp).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** Google Calendar's event template. Times are UTC, so the visitor's calendar shows them in its own zone. */
export function calendarUrl(show: Concert, artist: string): string {
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: artist === '' ? `Live at ${show.venue}` : `${artist} live at ${show.venue}`,
    dates: `${compactTimestamp(show.startsAt)}/${compactTimestamp(show.endsAt)}`,
    details: `${entryText(show)} Check in at the show for ${POINTS.check_in} points.`,
    location: venueAddress(show),
  })
  return `https://calendar.google.com/calendar/render?${query}`
}

export function directionsUrl(show: Concert): string {
  return `https://www.google.com/maps/search/?${new URLSearchParams({ api: '1', query: venueAddress(show) })}`
}

const venueAddress = (show: Pick<Concert, 'venue' | 'address' | 'city'>): string =>
  [show.venue, addressWithCity(show)].filter((part) => part !== '').join(', ')
