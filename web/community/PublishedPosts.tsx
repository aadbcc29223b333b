import { useQuery } from '@tanstack/react-query'
import { communityApi, type DeskExclusivePost } from '../../worker/contract/community'
import { useRemoval } from '../admin/content.queries'
import { call } from '../api/call'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { published } from './moderation.queries'

/** What stands for the tiers, each to be taken down; the toast puts it back. */
export function PublishedPosts() {
  const { data, error, refetch, isFetching } = useQuery(published)
  const takeDown = useRemoval(
    'tier-posts',
    (id) => call(communityApi.takeDown, { id }),
    (id) => call(communityApi.restore, { id }),
    'community',
    'Taken down',
  )
  return (
    <section aria-labelledby="published-posts" className="mt-12 max-w-2xl">
      <h3 id="published-posts" className="mb-4 font-display text-lg">
        Published
      </h3>
      {data ? (
        <ul className="grid gap-6">
          {data.length === 0 && <li className="text-muted">Nothing is published yet.</li>}
          {data.map((post) => (
            <li key={post.id}>
              <Published post={post} onTakeDown={() => takeDown(post.id, post.title)} />
            </li>
          ))}
        </ul>
      ) : error ? (
        <LoadError onRetry={() => void refetch()} retrying={isFetching}>
          The posts could not be fetched.
        </LoadError>
      ) : (
        <Skeleton className="h-40" label="Fetching the posts" />
      )}
    </section>
  )
}

function Published({ post, onTakeDown }: { post: DeskExclusivePost; onTakeDown: () => void }) {
  const day = useLocalDay(post.createdAt)
  return (
    <article aria-label={post.title} className="border border-rule bg-sleeve p-4 md:p-5">
      <p className="flex flex-wrap gap-x-4 text-sm text-muted">
        <time dateTime={post.createdAt} className="figures">
          {day}
        </time>
        <span className="text-gold-bright">{post.tier === 'gold' ? 'Gold' : 'Silver and Gold'}</span>
      </p>
      <h4 className="mt-2 font-semibold wrap-anywhere">{post.title}</h4>
      <p className="mt-2 line-clamp-4 whitespace-pre-line text-muted wrap-anywhere">{post.text}</p>
      <Button look="quiet" className="mt-2 -ml-3" aria-label={`Take down ${post.title}`} onClick={onTakeDown}>
        Take down
      </Button>
    </article>
  )
}
