import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { retryImport, sectionModule, useNearViewport } from '../lib/lazy-section'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

const communityModule = sectionModule('community', () => import('./LatestPosts'))

/** The home page's community section; its code loads when it is near the viewport. */
export function CommunitySection() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  const module = useQuery({ ...communityModule, enabled: isNear })
  return (
    // The long title needs a smaller font to fit a phone.
    <Section id="community" title="Community" className="[&_h2]:text-community">
      <QueryBoundary
        query={{ ...module, refetch: () => retryImport(module.refetch) }}
        loading={
          <div ref={setElement} className="col-span-full">
            <Skeleton className="latest-posts" label={module.isFetching ? 'Loading the community' : undefined} />
          </div>
        }
        error="The community could not be loaded."
        errorClassName="col-span-full"
      >
        {({ LatestPosts }) => <LatestPosts />}
      </QueryBoundary>
    </Section>
  )
}
