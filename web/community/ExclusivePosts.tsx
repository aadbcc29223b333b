import { Lock } from 'lucide-react'
import type { ExclusivePost } from '../../worker/contract/community'
import { SectionLink } from '../layout/sections'
import { useLocalDay } from '../lib/local-day'
import { buttonClass } from '../ui/Button'
import { LinkedText } from './LinkedText'

/** What was published for the tiers: title and lock where the reader's own does not open it (ruling 34). */
export function ExclusivePosts({ posts }: { posts: readonly ExclusivePost[] }) {
  return (
    <ul className="grid gap-8">
      {posts.map((post) => (
        <li key={post.id}>
          <ExclusivePostItem post={post} />
        </li>
      ))}
    </ul>
  )
}

function ExclusivePostItem({ post: { title, tier, text, createdAt } }: { post: ExclusivePost }) {
  const day = useLocalDay(createdAt)
  const requiredTier = tier === 'gold' ? 'Gold Tier Required' : 'Silver/Gold Tier Required'
  return (
    <article className="border-t-2 border-gold pt-5">
      <p className="figures text-sm text-muted">
        <time dateTime={createdAt}>{day}</time>
      </p>
      <h3 className="mt-2 font-display text-xl wrap-anywhere">{title}</h3>
      {text === null ? (
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
          <p className="flex items-center gap-3 border border-gold px-3 py-1 font-label text-gold-bright">
            <Lock size={18} aria-hidden />
            {requiredTier}
          </p>
          <SectionLink section="exclusive" className={buttonClass('quiet')}>
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
