import { useState } from 'react'
import type { Broadcast } from '../../worker/contract/broadcasts'
import { formatCount, formatCountOf, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { toastError } from '../ui/toast'
import { BROADCAST_STATE_LABELS, countProcessed, useCancelBroadcast } from './broadcasts.queries'

type ActionsProps = { broadcast: Broadcast; onDelete: () => void }

/** Deletes a draft, unschedules a scheduled broadcast or stops a running one. */
export function BroadcastActions({ broadcast, onDelete }: ActionsProps) {
  const { id, subject, state, counts } = broadcast
  const [isStopping, setIsStopping] = useState(false)
  const cancel = useCancelBroadcast()
  return (
    <>
      {state === 'draft' && (
        <Button variant="text" aria-label={`Delete ${subject}`} onClick={onDelete}>
          Delete
        </Button>
      )}
      {state === 'scheduled' && (
        <Button
          variant="text"
          aria-label={`Unschedule ${subject}`}
          aria-disabled={cancel.isPending}
          onClick={() => cancel.isPending || cancel.mutate(id, { onError: toastError('Not unscheduled') })}
        >
          Unschedule
        </Button>
      )}
      {state === 'sending' && (
        <Button variant="text" aria-label={`Stop ${subject}`} onClick={() => setIsStopping(true)}>
          Stop
        </Button>
      )}
      {isStopping && (
        <ConfirmDialog
          title={`Stop “${subject}”?`}
          confirmLabel="Stop sending"
          pending={cancel.isPending}
          onConfirm={() =>
            cancel.mutate(id, { onError: toastError('Not stopped'), onSettled: () => setIsStopping(false) })
          }
          onClose={() => setIsStopping(false)}
        >
          <p>
            {formatCountOf(counts.sent, 'recipient')} already {counts.sent === 1 ? 'has' : 'have'} it. The others will
            not get it, and this cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The state, with the time at which the broadcast finished, will start or was created. */
export function BroadcastState({ broadcast }: { broadcast: Broadcast }) {
  const { state, scheduledAt, finishedAt, createdAt } = broadcast
  const startsAt = state === 'scheduled' ? scheduledAt : null
  const at = finishedAt ?? startsAt ?? createdAt
  return (
    <span className={state === 'sending' ? 'text-gold-bright' : undefined}>
      {BROADCAST_STATE_LABELS[state]}{' '}
      <time dateTime={at} className="tabular-figures whitespace-nowrap text-sm text-muted">
        {formatDateTime(at)}
      </time>
    </span>
  )
}

/** A progress bar of the emails that are no longer waiting, and the number of emails by state. */
export function BroadcastProgress({ broadcast }: { broadcast: Broadcast }) {
  const { subject, recipients, counts } = broadcast
  const processed = countProcessed(broadcast)
  return (
    <>
      <svg
        role="progressbar"
        aria-label={`Progress of ${subject}`}
        aria-valuemin={0}
        aria-valuemax={recipients}
        aria-valuenow={processed}
        width="100%"
        height="8"
        className="block bg-sleeve-high"
      >
        <rect width={`${(processed / Math.max(1, recipients)) * 100}%`} height="8" className="bar-fill fill-gold" />
      </svg>
      <dl className="tabular-figures mt-3 flex flex-wrap gap-x-8 gap-y-1 text-sm">
        <Count label="sent" value={counts.sent} />
        <Count label="waiting" value={counts.waiting} />
        <Count label="failed" value={counts.failed} isAlert />
        <Count label="unknown" value={counts.unknown} isAlert />
      </dl>
    </>
  )
}

function Count({ label, value, isAlert = false }: { label: string; value: number; isAlert?: boolean }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted capitalize">{label}</dt>
      <dd className={isAlert && value > 0 ? 'text-sunset' : undefined}>{formatCount(value)}</dd>
    </div>
  )
}
