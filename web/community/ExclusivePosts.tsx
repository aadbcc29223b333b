import { useQuery } from '@tanstack/react-query'
import { Disc3, Lock } from 'lucide-react'
import type { ExclusivePost } from '../../worker/contract/community'
import type { TierId } from '../../worker/contract/site'
import { SectionLink } from '../layout/SectionLink'
import { useLocalDay } from '../lib/local-day'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { exclusivePosts } from './community.queries'
import { LinkedText } from './PostBody'

/** The first `max` posts for the paid tiers (default all), or a notice if there are none. `tier` is the supporter's. */
export function ExclusivePosts({ tier, max }: { tier: TierId; max?: number }) {
  return (
    <QueryBoundary
      query={useQuery(exclusivePosts)}
      loading={{ className: 'h-80', label: 'Loading the member posts' }}
      error="The member posts could not be loaded."
    >
      {(posts) =>
        posts.length > 0 ? (
          <ul className="grid gap-10">
            {posts.slice(0, max).map((post) => (
              <li key={post.id}>
                <ExclusivePostItem post={post} />
              </li>
            ))}
          </ul>
        ) : (
          <ComingSoon tier={tier} />
        )
      }
    </QueryBoundary>
  )
}

function ComingSoon({ tier }: { tier: TierId }) {
  const isMember = tier !== 'bronze'
  const Icon = isMember ? Disc3 : Lock
  return (
    <div className="exclusive-preview">
      <div aria-hidden="true" className="exclusive-preview-cover">
        <Icon size={40} strokeWidth={1.5} />
      </div>
      <div className="min-w-0">
        <p className="w-fit border border-gold px-3 py-1 font-label text-gold-bright">
          {isMember ? `Included in your ${tier === 'gold' ? 'Gold' : 'Silver'} tier` : 'Silver/Gold Tier Required'}
        </p>
        <h3 className="mt-5 font-display text-[clamp(1.75rem,1rem+3vw,3.25rem)] leading-[0.98] text-balance">
          Premium Content Coming Soon
        </h3>
        <p className="mt-4 max-w-[34rem] text-lg text-muted">
          {isMember
            ? 'Demos, sessions and posts written for members. The first one appears here, already unlocked for you.'
            : 'Demos, sessions and posts written for members. Silver and Gold unlock them.'}
        </p>
        {!isMember && (
          <SectionLink section="exclusive" className={buttonClass('outline', 'mt-7')}>
            See the tiers
          </SectionLink>
        )}
      </div>
    </div>
  )
}

/** A post for the paid tiers; locked if its `text` is null, because the supporter's tier does not include it. */
export function ExclusivePostItem({ post: { title, tier, text, createdAt } }: { post: ExclusivePost }) {
  const day = useLocalDay(createdAt)
  return (
    <article className="border-t-2 border-gold pt-5">
      <p className="tabular-figures text-sm text-muted">
        <time dateTime={createdAt}>{day}</time>
      </p>
      <h3 className="mt-2 font-display text-xl wrap-anywhere">{title}</h3>
      {text === null ? (
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
          <p className="flex items-center gap-3 border border-gold px-3 py-1 font-label text-gold-bright">
            <Lock size={18} aria-hidden />
            {tier === 'gold' ? 'Gold Tier Required' : 'Silver/Gold Tier Required'}
          </p>
          <SectionLink section="exclusive" className={buttonClass('text')}>
            See the tiers
          </SectionLink>
        </div>
      ) : (
        <p className="mt-4 max-w-prose whitespace-pre-line wrap-anywhere">
          <LinkedText text={text} />
        </p>
      )}
    </article>
  )
}
