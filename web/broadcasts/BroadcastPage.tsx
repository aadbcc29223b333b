import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { BroadcastDetail } from '../../worker/contract/broadcasts'
import { Panel } from '../admin/Panel'
import { RecordHeader } from '../admin/RecordHeader'
import { toScreen, useScreenParam } from '../admin/screen-location'
import { formatCountOf } from '../lib/format'
import { QueryBoundary } from '../ui/QueryBoundary'
import { BroadcastActions, BroadcastProgress, BroadcastState } from './BroadcastActions'
import { BroadcastForm } from './BroadcastForm'
import { audienceName, broadcastById, hasStarted, useRemoveDraft } from './broadcasts.queries'

const NEW_ID = 'new'

/** /admin/broadcasts/$id: the form of a new broadcast or a draft, or the progress of one that is sent. */
export function BroadcastPage() {
  const id = useScreenParam('id')
  const navigate = useNavigate()
  // The first save changes the URL to that of the created broadcast; the form stays mounted with its input.
  const [createdId, setCreatedId] = useState<string | null>(null)
  const [formKey, setFormKey] = useState(0)
  const previousId = useRef(id)
  // After the user leaves the created broadcast, the next new one starts with an empty form.
  useEffect(() => {
    if (createdId !== null && previousId.current === createdId && id !== createdId) {
      setCreatedId(null)
      setFormKey((key) => key + 1)
    }
    previousId.current = id
  }, [id, createdId])

  if (id !== NEW_ID && id !== createdId) return <ExistingBroadcast key={id} id={id} />
  return (
    <>
      <RecordHeader back="email" title="A new broadcast" />
      <BroadcastForm
        key={formKey}
        onCreated={(newId) => {
          setCreatedId(newId)
          void navigate({ ...toScreen('broadcast', { params: { id: newId } }), replace: true, resetScroll: false })
        }}
        onSent={() => setCreatedId(null)}
      />
    </>
  )
}

function ExistingBroadcast({ id }: { id: string }) {
  const query = useQuery(broadcastById(id))
  const navigate = useNavigate()
  const removeDraft = useRemoveDraft()
  const { data: broadcast } = query
  return (
    <>
      <RecordHeader back="email" title={broadcast?.subject ?? 'Broadcast'} />
      <QueryBoundary
        query={query}
        loading={{ className: 'h-96', label: 'Loading the broadcast' }}
        error="The broadcast could not be loaded. It may have been deleted."
      >
        {(loaded) => (
          <>
            {loaded.state === 'draft' ? <BroadcastForm draft={loaded} /> : <BroadcastStatus broadcast={loaded} />}
            <div className="mt-8 -ml-3">
              <BroadcastActions
                broadcast={loaded}
                onDelete={() => removeDraft(id, loaded.subject, () => void navigate(toScreen('email')))}
              />
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  )
}

function BroadcastStatus({ broadcast }: { broadcast: BroadcastDetail }) {
  const { audience, recipients, markdown } = broadcast
  return (
    <div className="grid max-w-3xl gap-12">
      <section aria-label="Delivery" className="border border-rule bg-sleeve p-5 md:p-8">
        <p>
          <BroadcastState broadcast={broadcast} />
        </p>
        <p className="mt-1 text-sm text-muted">
          {audienceName(audience)}, {formatCountOf(recipients, 'recipient')}
        </p>
        {hasStarted(broadcast) && (
          <div className="mt-6">
            <BroadcastProgress broadcast={broadcast} />
          </div>
        )}
      </section>
      <Panel title="Text">
        {markdown === '' ? (
          <p className="text-muted">Written automatically for a new show.</p>
        ) : (
          <p className="max-w-prose wrap-anywhere whitespace-pre-line">{markdown}</p>
        )}
      </Panel>
    </div>
  )
}
