import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AnnouncedRelease } from '../../worker/contract/releases'
import { formatDayInZone, formatTimeInZone } from '../../worker/contract/zoned-time'
import { useHydrated } from '../lib/useHydrated'
import { useNow } from '../lib/useNow'
import { useSite } from '../site/site.queries'
import { allTracks } from '../tracks/tracks.queries'
import { ReleaseHero } from './ReleaseHero'

const UPDATE_INTERVAL_MS = 1000
/** Interval of refetches after the release time, as the device's clock may be ahead of the server's. */
const RETRY_INTERVAL_MS = 2000
/** Maximum delay of a timer, because setTimeout overflows after 24.8 days. */
const MAX_TIMER_MS = 24 * 60 * 60 * 1000

/** An announced release and the time left. */
export function ReleaseCountdown({ release }: { release: AnnouncedRelease }) {
  const zone = useSite()?.artist.timeZone ?? 'UTC'
  const { artist, releasedAt } = release
  useRefetchAtRelease(Date.parse(releasedAt))
  return (
    <ReleaseHero release={release} details={<span>Coming soon</span>} sideClassName="countdown-side">
      <p className="text-lg font-semibold">{artist}</p>
      <TimeLeft until={Date.parse(releasedAt)} />
      <p className="mt-6 text-lg">
        Out{' '}
        <time dateTime={releasedAt} className="tabular-figures">
          {formatDayInZone(releasedAt, zone)} at {formatTimeInZone(releasedAt, zone)}
        </time>
        <LocalTime releasedAt={releasedAt} zone={zone} />
      </p>
      <p className="mt-2 text-muted">Leave this page open: the release appears here on time.</p>
    </ReleaseHero>
  )
}

/** Refetches when the visitor returns to the tab, and from the release time on until the release replaces the page. */
function useRefetchAtRelease(at: number): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const refetch = () =>
      void Promise.all([
        queryClient.invalidateQueries({ queryKey: ['releases'] }),
        queryClient.invalidateQueries({ queryKey: allTracks.queryKey }),
      ])
    const schedule = () => {
      const remainingMs = at - Date.now()
      timer = setTimeout(
        () => {
          if (Date.now() >= at) refetch()
          schedule()
        },
        remainingMs > 0 ? Math.min(remainingMs, MAX_TIMER_MS) : RETRY_INTERVAL_MS,
      )
    }
    const onVisible = () => {
      if (!document.hidden) refetch()
    }
    schedule()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [at, queryClient])
}

/** Countdown in days, hours, minutes and seconds. The cached HTML has dashes instead. */
function TimeLeft({ until }: { until: number }) {
  const isHydrated = useHydrated()
  const now = useNow(UPDATE_INTERVAL_MS)
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const parts = [
    ['Days', Math.floor(seconds / 86_400)],
    ['Hours', Math.floor(seconds / 3600) % 24],
    ['Min', Math.floor(seconds / 60) % 60],
    ['Sec', seconds % 60],
  ] as const
  return (
    <div aria-hidden="true" className="countdown">
      {parts.map(([label, value]) => (
        <p key={label}>
          <span className="tabular-figures foil-text font-display">
            {isHydrated ? String(value).padStart(2, '0') : '––'}
          </span>
          <span className="font-label text-muted">{label}</span>
        </p>
      ))}
    </div>
  )
}

/** The release time in the visitor's time zone, if that differs. */
function LocalTime({ releasedAt, zone }: { releasedAt: string; zone: string }) {
  const isHydrated = useHydrated()
  if (!isHydrated) return null
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [time, localTime] = [zone, local].map((timeZone) => formatTimeInZone(releasedAt, timeZone))
  if (time === localTime) return null
  return (
    <span className="tabular-figures block text-base text-muted">
      {formatDayInZone(releasedAt, local)} at {localTime} where you are
    </span>
  )
}
