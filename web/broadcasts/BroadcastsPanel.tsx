import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Broadcast } from '../../worker/contract/broadcasts'
import { Panel } from '../admin/Panel'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { BroadcastForm } from './BroadcastForm'
import { BroadcastRow } from './BroadcastRow'
import { broadcastById, broadcasts } from './broadcasts.queries'

/** Letters to many: what was sent and is on its way, and a sheet to write the next on. */
export function BroadcastsPanel() {
  const { data, error, refetch, isFetching } = useQuery(broadcasts)
  // A draft's id, 'new', or nothing being written.
  const [openDraft, setOpenDraft] = useState<string | null>(null)
  return (
    <Panel
      title="Broadcasts"
      note="One letter to every reader who has confirmed, or to those of a city or a tier. Each gets one copy; where the provider’s answer was lost, the copy is marked unknown and not repeated."
    >
      {openDraft === null ? (
        <Button variant="foil" onClick={() => setOpenDraft('new')}>
          Write a broadcast
        </Button>
      ) : openDraft === 'new' ? (
        <BroadcastForm onDone={() => setOpenDraft(null)} />
      ) : (
        <Draft key={openDraft} id={openDraft} onDone={() => setOpenDraft(null)} />
      )}
      <ul aria-label="Broadcasts" className="mt-8 grid gap-4">
        {data?.map((broadcast: Broadcast) => (
          <BroadcastRow key={broadcast.id} broadcast={broadcast} onWrite={() => setOpenDraft(broadcast.id)} />
        ))}
      </ul>
      {data?.length === 0 && <p className="text-muted">Nothing sent yet.</p>}
      {!data &&
        (error ? (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The broadcasts could not be fetched.
          </LoadError>
        ) : (
          <Skeleton className="h-40" label="Fetching broadcasts" />
        ))}
    </Panel>
  )
}

function Draft({ id, onDone }: { id: string; onDone: () => void }) {
  const { data, error, refetch, isFetching } = useQuery(broadcastById(id))
  if (data) return <BroadcastForm draft={data} onDone={onDone} />
  if (!error) return <Skeleton className="h-96" label="Fetching the draft" />
  return (
    <LoadError onRetry={() => void refetch()} retrying={isFetching}>
      The draft could not be fetched.
    </LoadError>
  )
}
