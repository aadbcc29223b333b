import { clsx } from 'clsx'
import { CalendarPlus, Navigation } from 'lucide-react'
import type { Concert } from '../../worker/contract/concerts'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { calendarUrl, directionsUrl } from './event-links'

/** What a fan does with a show: put it in the calendar, find the way. */
export function ShowLinks({ show, className }: { show: Concert; className?: string }) {
  const artist = useSite()?.artist.name ?? ''
  return (
    <div className={clsx('flex flex-wrap items-center gap-3', className)}>
      <a
        href={calendarUrl(show, artist)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass('foil', 'max-xs:w-full')}
      >
        <CalendarPlus size={18} aria-hidden />
        Add to Calendar
      </a>
      <a
        href={directionsUrl(show)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass('outline', 'max-xs:w-full')}
      >
        <Navigation size={18} aria-hidden />
        Get Directions
      </a>
      <a
        href={`/api/concerts/${encodeURIComponent(show.id)}/event.ics`}
        className={buttonClass('quiet', 'max-xs:w-full')}
      >
        Calendar file
      </a>
    </div>
  )
}
