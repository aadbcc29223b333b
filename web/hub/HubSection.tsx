import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { useSession } from '../auth/auth.queries'
import { askForCodeAgain } from '../ui/ask-for-code-again'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { useNear } from './useNear'

// The hub stands far down the page: its code is no part of the first script. It is asked for as answers are, so that
// what waits for answers waits for it, too, and it can be asked for again.
const options = { structuralSharing: false } as const
const ownCode = queryOptions({ queryKey: ['config', 'own hub'], queryFn: () => import('./SupporterHub'), ...options })
const tasteCode = queryOptions({ queryKey: ['config', 'taste'], queryFn: () => import('./Taste'), ...options })

/** Track 05: what supporters do. A visitor sees a taste of it; a supporter has a hub of their own. */
export function HubSection() {
  const { me, isPending } = useSession()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const near = useNear(place)
  return (
    <Section id="smart-features" number="05" title="Supporter Hub" note="Points from day one">
      {me ? (
        <Own key={me.id} me={me} near={near} place={setPlace} />
      ) : (
        <Visitors near={near && !isPending} place={setPlace} />
      )}
    </Section>
  )
}

type Place = {
  /** The code is worth fetching. */
  near: boolean
  /** Told which element keeps the place meanwhile. */
  place: (element: HTMLElement | null) => void
}

/** Points that arrive before the hub was ever near fetch it as well: it is the hub that celebrates them. */
function Own({ me, near, place }: Place & { me: Me }) {
  const [before] = useState(me.points)
  const code = useQuery({ ...ownCode, enabled: near || me.points !== before })
  if (code.data) return <code.data.SupporterHub me={me} before={before} />
  return <Meanwhile code={code} place={place} className="hub-place" />
}

function Visitors({ near, place }: Place) {
  const code = useQuery({ ...tasteCode, enabled: near })
  if (code.data) return <code.data.Taste />
  return <Meanwhile code={code} place={place} className="taste-place" />
}

type Meanwhile = Pick<Place, 'place'> & {
  code: { isError: boolean; isFetching: boolean; refetch: () => Promise<{ isError: boolean }> }
  className: string
}

function Meanwhile({ code: { isError, isFetching, refetch }, place, className }: Meanwhile) {
  if (isError)
    return (
      <div className="col-span-full">
        <LoadError onRetry={() => void askForCodeAgain(refetch)} retrying={isFetching}>
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
