import { SignUpOrLogin } from '../auth/SignUpOrLogin'
import { Button } from '../ui/Button'
import { formatVenueTime } from './check-in-times'

type VisitorScanProps = { id: string; expiresAt: string; timeZone: string; points: number }

/** A visitor's scan: it waits for an account. */
export function VisitorScan({ id, expiresAt, timeZone, points }: VisitorScanProps) {
  return (
    <div role="status" className="door-done">
      <p className="font-display text-2xl">You are here</p>
      <p className="mt-3 max-w-prose">
        Your scan is kept. Sign up or log in by {formatVenueTime(expiresAt, timeZone).split(', ').at(-1)} and{' '}
        <strong className="text-gold">+{points} points</strong> are yours.
      </p>
      <SignUpOrLogin back={`/shows/${id}`} />
    </div>
  )
}

type SupporterScanProps = { problem: string | undefined; isBusy: boolean; onRedeem: () => void }

/** The scan of who has an account now: it is redeemed by itself, and by hand where that failed. */
export function SupporterScan({ problem, isBusy, onRedeem }: SupporterScanProps) {
  return (
    <div className="door-done">
      <p className="font-display text-2xl">Your scan is kept</p>
      {problem && !isBusy ? (
        <p role="alert" className="mt-3 max-w-prose text-sunset">
          {problem}
        </p>
      ) : (
        <p role="status" className="mt-3 max-w-prose text-muted">
          One moment: we are checking you in.
        </p>
      )}
      <Button variant="foil" aria-disabled={isBusy} onClick={() => isBusy || onRedeem()} className="mt-6">
        {isBusy ? 'Checking in' : problem ? 'Try again' : 'Check in'}
      </Button>
    </div>
  )
}
