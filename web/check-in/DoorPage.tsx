import '../styles/utilities.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { encode } from 'uqr'
import type { CheckInCode } from '../../worker/contract/check-in'
import { showPath } from '../../worker/contract/concerts'
import { ScreenLink } from '../admin/ScreenLink'
import { ApiError, hasStatus } from '../api/call'
import { showPage } from '../concerts/show-page.queries'
import { NotFoundPage } from '../layout/ErrorPage'
import { formatLongZonedDateTime, formatTimeSeconds } from '../lib/format'
import { useNow } from '../lib/useNow'
import { Button, buttonClass } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { toast } from '../ui/toast'
import { useCheckInCode } from './check-in-code'
import { checkInState } from './check-in-times'
import { checkInCode, checkInCount, useRenewSecret } from './door.queries'

/** /admin/shows/{id}/door: the check-in code that the team shows at the entrance. */
export function DoorPage() {
  const { id } = useParams({ from: '/admin/shows/$id/door' })
  const { data: show } = useQuery({ ...showPage(id), networkMode: 'always' })
  const { data: door, dataUpdatedAt, error, refetch, isFetching } = useQuery(checkInCode(id))
  const renew = useRenewSecret(id)
  const [isConfirming, setIsConfirming] = useState(false)
  if (hasStatus(error, 404)) return <NotFoundPage />
  return (
    <main id="content" tabIndex={-1} className="door">
      <header className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-1">
        <h1 className="font-display text-xl break-words">{show ? show.venue : 'The door'}</h1>
        {show && <p className="text-muted">{show.city}</p>}
      </header>
      {door && (
        <DoorDisplay
          id={id}
          slug={show?.slug ?? id}
          door={door}
          fetchedAt={dataUpdatedAt}
          error={error}
          timeZone={show?.timeZone}
        />
      )}
      {!door && error && (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The code could not be loaded. Once loaded, this page works offline.
        </LoadError>
      )}
      {!door && !error && <Skeleton className="h-[32rem]" label="Loading the door" />}
      <footer className="flex flex-wrap gap-3">
        <ScreenLink screen="door" className={buttonClass('text', '-ml-3')}>
          Back to the dashboard
        </ScreenLink>
        {door && (
          <Button variant="text" onClick={() => setIsConfirming(true)}>
            Create a new secret
          </Button>
        )}
      </footer>
      {isConfirming && (
        <ConfirmDialog
          title={`Create a new secret for ${show?.venue ?? 'this door'}?`}
          confirmLabel="Create a new secret"
          pending={renew.isPending}
          onClose={() => setIsConfirming(false)}
          onConfirm={() =>
            renew.mutate(undefined, {
              onSuccess: () => {
                setIsConfirming(false)
                toast({ title: 'New secret', text: 'Codes from the old secret no longer work.' })
              },
              onError: ({ message }) => toast({ title: 'Not changed', text: message, tone: 'destructive' }),
            })
          }
        >
          <p>
            Do this if someone else got hold of the codes. Other devices at this door update within a minute once they
            are online. Visitors who scanned but have not signed up yet have to scan again.
          </p>
        </ConfirmDialog>
      )}
    </main>
  )
}

type DoorDisplayProps = {
  id: string
  slug: string
  door: CheckInCode
  /** When `door` was fetched, in epoch milliseconds of this device's clock. */
  fetchedAt: number
  /** Error of the last refetch; null if it succeeded. */
  error: Error | null
  /** The venue's time zone, once the show is loaded. */
  timeZone?: string
}

/** The current code with its QR code and time left, and the counts. */
function DoorDisplay({ id, slug, door, fetchedAt, error, timeZone }: DoorDisplayProps) {
  const { code, fractionLeft } = useCheckInCode(door, fetchedAt)
  const { data: count, error: countError, dataUpdatedAt } = useQuery(checkInCount(id))
  // By the server's clock, also while offline.
  const state = checkInState(door, useNow(5_000) + Date.parse(door.now) - fetchedAt)
  const isAwake = useWakeLock()
  const showUrl = `${window.location.origin}${showPath(slug)}`
  const isServerError = (error ?? countError) instanceof ApiError
  return (
    <>
      <dl className="door-count">
        <div>
          <dt className="font-label text-muted">In</dt>
          <dd className="tabular-figures font-display text-2xl text-gold">
            {count?.arrived ?? <Skeleton className="h-9 w-12" label="Counting" />}
          </dd>
        </div>
        <div>
          <dt className="font-label text-muted">Going</dt>
          <dd className="tabular-figures text-xl">{count?.going ?? <Skeleton className="h-7 w-12" />}</dd>
        </div>
      </dl>
      <div className="door-card">
        <QrCode text={`${showUrl}#code=${code}`} label="QR code of the door" />
        <div className="door-side">
          <p className="font-label text-muted">Enter it on the show’s page</p>
          <p data-testid="door-code" className="door-digits tabular-figures foil-text font-display">
            {code.slice(0, 3)} {code.slice(3)}
          </p>
          <div className="door-time" aria-hidden="true">
            <span style={{ transform: `scaleX(${fractionLeft})` }} />
          </div>
          <p className="mt-3 text-sm text-muted">A new code every {door.stepSeconds} seconds.</p>
        </div>
      </div>
      <div role="status" className="grid gap-2 text-sm">
        {state === 'before' && (
          <p>
            Check-in opens {timeZone ? `on ${formatLongZonedDateTime(door.opensAt, timeZone)}` : 'later'}. Codes are
            accepted from then on.
          </p>
        )}
        {state === 'after' && <p>Check-in for this show is over. These codes no longer work.</p>}
        {(error || countError) && (
          <p className="text-sunset">
            {isServerError ? 'The site did not respond as expected.' : 'No network.'} Codes continue to change and work
            {countError &&
              (dataUpdatedAt > 0
                ? `; the count is from ${formatTimeSeconds(dataUpdatedAt)}`
                : '; the number of check-ins could not be loaded')}
            .
            {error &&
              ` A secret that another device set for this door after ${formatTimeSeconds(fetchedAt)} is not known here.`}
          </p>
        )}
        {isAwake === false && (
          <p className="text-muted">This browser can’t keep the screen on. Please turn off auto-lock.</p>
        )}
      </div>
    </>
  )
}

/** A QR code, dark on a light background with a margin, because cameras need both. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className="door-qr">
      <path d={path} />
    </svg>
  )
}

/** Keeps the screen on. Returns whether that succeeded; null while this is not known. */
function useWakeLock(): boolean | null {
  const [isActive, setIsActive] = useState<boolean | null>(null)
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isUnmounted = false
    // Acquired again when the page is shown, because browsers release the lock of a hidden page.
    const acquire = async () => {
      if (document.visibilityState !== 'visible') return
      lock = 'wakeLock' in navigator ? await navigator.wakeLock.request('screen').catch(() => null) : null
      if (isUnmounted) await lock?.release()
      else setIsActive(lock !== null)
    }
    void acquire()
    document.addEventListener('visibilitychange', acquire)
    return () => {
      isUnmounted = true
      document.removeEventListener('visibilitychange', acquire)
      void lock?.release()
    }
  }, [])
  return isActive
}
