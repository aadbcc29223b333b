import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { TierId } from '../../worker/contract/site'
import { exclusivePosts } from '../community/community.queries'
import { ExclusivePosts } from '../community/ExclusivePosts'
import { SectionLink } from '../layout/sections'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

/** Premium content, or its place while none is published (specification section 2, ruling 34). */
export function Exclusive({ tier }: { tier: TierId }) {
  const { data: posts, isError, isFetching, refetch } = useQuery(exclusivePosts)
  if (!posts)
    return isError ? (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        The posts for the tiers could not be fetched.
      </LoadError>
    ) : (
      <Skeleton className="h-80" label="Fetching the posts for the tiers" />
    )
  if (posts.length > 0) return <ExclusivePosts posts={posts} />
  return (
    <div className="vault">
      <div aria-hidden="true" className="vault-sleeve">
        <Lock size={40} strokeWidth={1.5} />
      </div>
      <div className="min-w-0">
        <p className="w-fit border border-gold px-3 py-1 font-label text-gold-bright">Silver/Gold Tier Required</p>
        <h3 className="mt-5 font-display text-[clamp(1.75rem,1rem+3vw,3.25rem)] leading-[0.98] text-balance">
          Premium Content Coming Soon
        </h3>
        <p className="mt-4 max-w-[34rem] text-lg text-muted">
          {tier === 'bronze'
            ? 'Demos, sessions and posts written for supporters. Silver and Gold open the sleeve.'
            : 'Demos, sessions and posts written for supporters. Your tier opens the sleeve the day it is pressed.'}
        </p>
        {tier === 'bronze' && (
          <SectionLink section="exclusive" className={buttonClass('outline', 'mt-7')}>
            See the tiers
          </SectionLink>
        )}
      </div>
    </div>
  )
}
