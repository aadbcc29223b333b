import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Broadcast } from '../../worker/contract/broadcasts'
import { OPEN_PARAM } from '../admin/list/RecordList'
import { Panel } from '../admin/Panel'
import { useScreenSearch } from '../admin/ScreenLink'
import { formatCount, formatCountOf, formatDateTime } from '../lib/format'
import { Button } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toastError } from '../ui/toast'
import { BroadcastForm } from './BroadcastForm'
import { audienceName, broadcastById, broadcasts, useCancelBroadcast, useRemoveBroadcast } from './broadcasts.queries'

export function BroadcastsPanel() {
  const query = useQuery(broadcasts)
  const [search, setSearch] = useScreenSearch()
  // A draft's id, 'new', or null for none.
  const openDraft = search[OPEN_PARAM] ?? null
  const setOpenDraft = (id: string | null) => setSearch({ [OPEN_PARAM]: id ?? '' }, { push: id !== null })
  return (
    <Panel
      title="Broadcasts"
      note="One email to every confirmed subscriber, or to those in a city or a tier. Everyone gets one copy. If the provider’s response is lost, the copy is marked unknown and not sent again."
    >
      {openDraft === null && (
        <Button variant="primary" onClick={() => setOpenDraft('new')}>
          Write a broadcast
        </Button>
      )}
      {openDraft === 'new' && <BroadcastForm onDone={() => setOpenDraft(null)} />}
      {openDraft !== null && openDraft !== 'new' && (
        <Draft key={openDraft} id={openDraft} onDone={() => setOpenDraft(null)} />
      )}
      <ul aria-label="Broadcasts" className="mt-8 grid gap-4">
        {query.data?.map((broadcast: Broadcast) => (
          <BroadcastRow key={broadcast.id} broadcast={broadcast} onWrite={() => setOpenDraft(broadcast.id)} />
        ))}
      </ul>
      <QueryBoundary
        query={query}
        loading={{ className: 'h-40', label: 'Loading broadcasts' }}
        error="The broadcasts could not be loaded."
      >
        {(rows) => rows.length === 0 && <p className="text-muted">Nothing sent yet.</p>}
      </QueryBoundary>
    </Panel>
  )
}

function Draft({ id, onDone }: { id: string; onDone: () => void }) {
  return (
    <QueryBoundary
      query={useQuery(broadcastById(id))}
      loading={{ className: 'h-96', label: 'Loading the draft' }}
      error="The draft could not be loaded."
    >
      {(draft) => <BroadcastForm draft={draft} onDone={onDone} />}
    </QueryBoundary>
  )
}

const STATE_LABELS = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  done: 'Sent',
  cancelled: 'Stopped',
} as const

function BroadcastRow({ broadcast, onWrite }: { broadcast: Broadcast; onWrite: () => void }) {
  const { id, subject, state, audience, recipients, counts } = broadcast
  const [stopping, setStopping] = useState(false)
  const cancel = useCancelBroadcast()
  const remove = useRemoveBroadcast()
  const showError = toastError('That did not work')
  const processed = counts.sent + counts.failed + counts.unknown
  const hasStarted = state === 'sending' || state === 'done' || state === 'cancelled'
  const latestAt = broadcast.finishedAt ?? (state === 'scheduled' ? broadcast.scheduledAt : null) ?? broadcast.createdAt
  return (
    <li className="border border-rule bg-sleeve p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="font-semibold">{subject}</h3>
        <p className={state === 'sending' ? 'text-gold-bright' : 'text-muted'}>
          {STATE_LABELS[state]}{' '}
          <time dateTime={latestAt} className="tabular-figures text-sm">
            {formatDateTime(latestAt)}
          </time>
        </p>
      </div>
      <p className="mt-1 text-sm text-muted">
        {audienceName(audience)}, {formatCountOf(recipients, 'subscriber')}
      </p>
      {hasStarted && (
        <>
          <svg
            role="progressbar"
            aria-label={`Progress of ${subject}`}
            aria-valuemin={0}
            aria-valuemax={recipients}
            aria-valuenow={processed}
            width="100%"
            height="8"
            className="mt-4 block bg-sleeve-high"
          >
            <rect width={`${(processed / Math.max(1, recipients)) * 100}%`} height="8" className="bar fill-gold" />
          </svg>
          <dl className="tabular-figures mt-3 flex flex-wrap gap-x-8 gap-y-1 text-sm">
            <Count label="sent" value={counts.sent} />
            <Count label="waiting" value={counts.waiting} />
            <Count label="failed" value={counts.failed} isAlert />
            <Count label="unknown" value={counts.unknown} isAlert />
          </dl>
        </>
      )}
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {state === 'draft' && <Button onClick={onWrite}>Edit draft</Button>}
        {state === 'draft' && <Button onClick={() => remove.mutate(id, { onError: showError })}>Remove</Button>}
        {state === 'scheduled' && <Button onClick={() => cancel.mutate(id, { onError: showError })}>Cancel it</Button>}
        {state === 'sending' && <Button onClick={() => setStopping(true)}>Stop</Button>}
      </div>
      {stopping && (
        <ConfirmDialog
          title="Stop this broadcast?"
          confirm="Stop it"
          pending={cancel.isPending}
          onConfirm={() => cancel.mutate(id, { onError: showError, onSettled: () => setStopping(false) })}
          onClose={() => setStopping(false)}
        >
          <p>
            {formatCount(counts.sent)} subscribers already have it. The others will not get it, and this cannot be
            undone.
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function Count({ label, value, isAlert = false }: { label: string; value: number; isAlert?: boolean }) {
  return (
    <div className="flex gap-2">
      <dt className="text-muted">{label}</dt>
      <dd className={isAlert && value > 0 ? 'text-sunset' : undefined}>{formatCount(value)}</dd>
    </div>
  )
}
