import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { useSession } from '../auth/auth.queries'
import { useNearViewport } from '../lib/useNearViewport'
import { LoadError } from '../ui/LoadError'
import { retryImport } from '../ui/retry-import'
import { Section } from '../ui/Section'

// The hub stands far down the page: its code is no part of the first script. It is asked for as answers are, so that
// what waits for answers waits for it, too, and it can be asked for again.
const options = { structuralSharing: false } as const
const hubModule = queryOptions({ queryKey: ['config', 'own hub'], queryFn: () => import('./SupporterHub'), ...options })
const previewModule = queryOptions({ queryKey: ['config', 'taste'], queryFn: () => import('./HubPreview'), ...options })

/** Track 05: what supporters do. A visitor sees a taste of it; a supporter has a hub of their own. */
export function HubSection() {
  const { me, isPending } = useSession()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const near = useNearViewport(place)
  return (
    <Section id="smart-features" number="05" title="Supporter Hub" note="Points from day one">
      {me ? (
        <SupporterView key={me.id} me={me} near={near} place={setPlace} />
      ) : (
        <VisitorView near={near && !isPending} place={setPlace} />
      )}
    </Section>
  )
}

type PlaceholderProps = {
  /** The code is worth fetching. */
  near: boolean
  /** Told which element keeps the place meanwhile. */
  place: (element: HTMLElement | null) => void
}

/** Points that arrive before the hub was ever near fetch it as well: it is the hub that celebrates them. */
function SupporterView({ me, near, place }: PlaceholderProps & { me: Me }) {
  const [before] = useState(me.points)
  const code = useQuery({ ...hubModule, enabled: near || me.points !== before })
  if (code.data) return <code.data.SupporterHub me={me} before={before} />
  return <Meanwhile code={code} place={place} className="hub-place" />
}

function VisitorView({ near, place }: PlaceholderProps) {
  const code = useQuery({ ...previewModule, enabled: near })
  if (code.data) return <code.data.HubPreview />
  return <Meanwhile code={code} place={place} className="taste-place" />
}

type Meanwhile = Pick<PlaceholderProps, 'place'> & {
  code: { isError: boolean; isFetching: boolean; refetch: () => Promise<{ isError: boolean }> }
  className: string
}

function Meanwhile({ code: { isError, isFetching, refetch }, place, className }: Meanwhile) {
  if (isError)
    return (
      <div className="col-span-full">
        <LoadError onRetry={() => void retryImport(refetch)} retrying={isFetching}>
          The hub could not be fetched.
        </LoadError>
      </div>
    )
  return (
    // The ways to the vote lead here meanwhile.
    <div ref={place} id="community-voting" tabIndex={-1} className="col-span-full outline-none">
      <div className={`skeleton ${className}`} {...(isFetching && { role: 'status' })}>
        {isFetching && <span className="sr-only">Fetching the hub</span>}
      </div>
    </div>
  )
}
