import { useQuery } from '@tanstack/react-query'
import type { CheckInCode } from '../../worker/contract/concerts'
import { ApiError } from '../api/call'
import { useNow } from '../lib/useNow'
import { useWakeLock } from '../lib/useWakeLock'
import { Skeleton } from '../ui/Skeleton'
import { checkInState, formatVenueTime } from './check-in-times'
import { checkInCount } from './door.queries'
import { QrCode } from './QrCode'
import { useCheckInCode } from './useCheckInCode'

/** `error`: why the code could not be fetched again since `fetchedAt`, by this phone's clock; null when it was. */
type Props = { id: string; door: CheckInCode; fetchedAt: number; error: Error | null; timeZone: string }

/** The code, its QR, how long both last, and how many came in: readable from a queue. */
export function DoorDisplay({ id, door, fetchedAt, error, timeZone }: Props) {
  const { code, left } = useCheckInCode(door, fetchedAt)
  const { data: count, error: uncounted, dataUpdatedAt } = useQuery(checkInCount(id))
  // The server's clock, as far ahead of this phone's as it was: it is kept when the network is gone.
  const state = checkInState(door, useNow(5_000) + Date.parse(door.now) - fetchedAt)
  const staysOn = useWakeLock()
  const address = `${window.location.origin}/shows/${encodeURIComponent(id)}`
  return (
    <>
      <dl className="door-count">
        <div>
          <dt className="font-label text-muted">In</dt>
          <dd className="figures font-display text-2xl text-gold">
            {count?.arrived ?? <Skeleton className="h-9 w-12" label="Counting" />}
          </dd>
        </div>
        <div>
          <dt className="font-label text-muted">Meant to come</dt>
          <dd className="figures text-xl">{count?.going ?? <Skeleton className="h-7 w-12" />}</dd>
        </div>
      </dl>
      <div className="door-card">
        <QrCode text={`${address}#code=${code}`} label="QR code of the door" />
        <div className="door-side">
          <p className="font-label text-muted">Type it on the show’s page</p>
          <p data-testid="door-code" className="door-digits figures foil-text font-display">
            {code.slice(0, 3)} {code.slice(3)}
          </p>
          <div className="door-time" aria-hidden="true">
            <span style={{ transform: `scaleX(${left})` }} />
          </div>
          <p className="mt-3 text-sm text-muted">A new code every {door.stepSeconds} seconds.</p>
        </div>
      </div>
      <div role="status" className="grid gap-2 text-sm">
        {state === 'before' && (
          <p>Check-in opens on {formatVenueTime(door.opensAt, timeZone)}. Codes are taken from then on.</p>
        )}
        {state === 'after' && <p>Check-in for this show is over: these codes let nobody in.</p>}
        {(error || uncounted) && (
          <p className="text-sunset">
            {(error ?? uncounted) instanceof ApiError ? 'The site did not answer as it should.' : 'No network.'} The
            codes go on by themselves
            {uncounted &&
              (dataUpdatedAt > 0
                ? `; the count is of ${clock.format(dataUpdatedAt)}`
                : '; who is in could not be counted yet')}
            .
            {error &&
              ` A new secret that another phone gave this door after ${clock.format(fetchedAt)} is not known here.`}
          </p>
        )}
        {!staysOn && (
          <p className="text-muted">Keep this screen from going dark: this browser does not do it for us.</p>
        )}
      </div>
    </>
  )
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' })
