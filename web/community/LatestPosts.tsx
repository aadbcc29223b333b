import { useInfiniteQuery } from '@tanstack/react-query'
import { SectionLink } from '../layout/sections'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { feed } from './community.queries'
import { PostCard } from './PostCard'

const LATEST_POSTS = 3

/** The community's latest posts, with a link to all. */
export function LatestPosts() {
  return (
    <section aria-labelledby="hub-community" className="voting">
      <div className="min-w-0">
        <h3 id="hub-community" className="voting-title mb-6 font-display">
          From the community
        </h3>
        <SectionLink section="community" className={buttonClass('text', '-ml-3')}>
          Write a post
        </SectionLink>
      </div>
      <div className="min-w-0">
        <QueryBoundary
          query={useInfiniteQuery(feed)}
          loading={{ className: 'hub-posts', label: 'Fetching the posts' }}
          error="The posts could not be fetched."
        >
          {({ pages: [page] }) => {
            const posts = page?.rows.slice(0, LATEST_POSTS) ?? []
            return (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll only a focusable box.
              <section aria-label="The latest posts" tabIndex={0} className="scroll-box hub-posts">
                {posts.length === 0 && (
                  <p className="py-5 text-muted">Nobody has posted yet. The first word is yours.</p>
                )}
                {posts.map((post) => (
                  <PostCard key={post.id} post={post} />
                ))}
                {posts.length === LATEST_POSTS && (
                  <SectionLink section="community" className={buttonClass('outline', 'mb-4 justify-self-start')}>
                    All posts
                  </SectionLink>
                )}
              </section>
            )
          }}
        </QueryBoundary>
      </div>
    </section>
  )
}
