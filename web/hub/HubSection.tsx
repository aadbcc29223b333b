import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../auth/auth.queries'
import { LoadError } from '../ui/LoadError'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

// The hub's code is asked for as answers are, once it is known who reads: what waits for answers waits for it, too, it
// can be asked for again, and the first script of the home page stays small.
const options = { structuralSharing: false } as const
const ownCode = queryOptions({ queryKey: ['config', 'own hub'], queryFn: () => import('./SupporterHub'), ...options })
const tasteCode = queryOptions({ queryKey: ['config', 'taste'], queryFn: () => import('./Taste'), ...options })

/** Track 05: what supporters do. A visitor sees a taste of it; a supporter has a hub of their own. */
export function HubSection() {
  const { me, isPending } = useSession()
  const own = useQuery({ ...ownCode, enabled: Boolean(me) })
  const taste = useQuery({ ...tasteCode, enabled: !(me || isPending) })
  const { isError, isFetching, refetch } = me ? own : taste
  return (
    <Section id="smart-features" number="05" title="Supporter Hub" note="Points from day one">
      {me && own.data ? (
        <own.data.SupporterHub key={me.id} me={me} />
      ) : !me && taste.data ? (
        <taste.data.Taste />
      ) : isError ? (
        <div className="col-span-full">
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The hub could not be fetched.
          </LoadError>
        </div>
      ) : (
        // The ways to the vote lead here meanwhile.
        <div id="community-voting" tabIndex={-1} className="col-span-full outline-none">
          <Skeleton className="h-[60rem]" label="Fetching the hub" />
        </div>
      )}
    </Section>
  )
}
