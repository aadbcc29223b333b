import { useInfiniteQuery } from '@tanstack/react-query'
import { feed } from '../community/community.queries'
import { PostCard } from '../community/PostCard'
import { SectionLink } from '../layout/sections'
import { buttonClass } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'

const LATEST_COUNT = 3

/** The latest posts of the community, and the way to all of them. */
export function HubCommunity() {
  const { data, isError, isFetching, refetch } = useInfiniteQuery(feed)
  const posts = data?.pages[0]?.rows.slice(0, LATEST_COUNT)
  return (
    <section aria-labelledby="hub-community" className="voting">
      <div className="min-w-0">
        <h3 id="hub-community" className="voting-title mb-6 font-display">
          From the community
        </h3>
        <SectionLink section="community" className={buttonClass('quiet', '-ml-3')}>
          Write a post
        </SectionLink>
      </div>
      <div className="min-w-0">
        {posts ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keyboard to be read.
          <section aria-label="The latest posts" tabIndex={0} className="liner-notes hub-posts">
            {posts.length === 0 && <p className="py-5 text-muted">Nobody has posted yet. The first word is yours.</p>}
            {posts.map((post) => (
              <PostCard key={post.id} post={post} />
            ))}
            {posts.length === LATEST_COUNT && (
              <SectionLink section="community" className={buttonClass('outline', 'mb-4 justify-self-start')}>
                All posts
              </SectionLink>
            )}
          </section>
        ) : isError ? (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The posts could not be fetched.
          </LoadError>
        ) : (
          <Skeleton className="hub-posts" label="Fetching the posts" />
        )}
      </div>
    </section>
  )
}
