import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNearViewport } from '../lib/useNearViewport'
import { LoadError } from '../ui/LoadError'
import { retryImport } from '../ui/retry-import'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

// Asked for as an answer is, once it is near: see HubSection.
const communityModule = queryOptions({
  queryKey: ['config', 'community'],
  queryFn: () => import('./Community'),
  structuralSharing: false,
})

/** After the hub: what supporters say. */
export function CommunitySection() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  const { data, isError, isFetching, refetch } = useQuery({ ...communityModule, enabled: isNear })
  return (
    // A word this wide needs smaller letters than other titles to stay inside of a phone.
    <Section
      id="community"
      title="Community"
      className="[&_h2]:text-[clamp(1.75rem,min(10.9vw-0.2rem,1.2rem+6.2vw),6rem)]"
    >
      {data ? (
        <data.Community />
      ) : isError ? (
        <div className="col-span-full">
          <LoadError onRetry={() => void retryImport(refetch)} retrying={isFetching}>
            The community could not be fetched.
          </LoadError>
        </div>
      ) : (
        <div ref={setElement} className="col-span-full">
          <Skeleton className="h-80" label={isFetching ? 'Fetching the community' : undefined} />
        </div>
      )}
    </Section>
  )
}
