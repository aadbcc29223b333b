import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { retryImport, sectionModule, useNearViewport } from '../lib/lazy-section'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

const communityModule = sectionModule('community', () => import('./Community'))

/** The home page's community section; its code loads when it is near the viewport. */
export function CommunitySection() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  const module = useQuery({ ...communityModule, enabled: isNear })
  return (
    // The long title needs a smaller font than others to fit a phone.
    <Section
      id="community"
      title="Community"
      className="[&_h2]:text-[clamp(1.75rem,min(10.9vw-0.2rem,1.2rem+6.2vw),6rem)]"
    >
      <QueryBoundary
        query={{ ...module, refetch: () => retryImport(module.refetch) }}
        loading={
          <div ref={setElement} className="col-span-full">
            <Skeleton className="h-80" label={module.isFetching ? 'Fetching the community' : undefined} />
          </div>
        }
        error="The community could not be fetched."
        errorClassName="col-span-full"
      >
        {({ Community }) => <Community />}
      </QueryBoundary>
    </Section>
  )
}
