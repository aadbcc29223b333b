import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { feed } from './community.queries'
import { HiddenPosts } from './HiddenPosts'
import { PostCard } from './PostCard'
import { PostForm } from './PostForm'

/** Posts that stand there at first, and how many more a press shows: what comes after them stays in reach. */
const INITIAL_POSTS = 6
const POSTS_PER_PRESS = 12

/** What supporters say, and where they say it. */
export function Community() {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(feed)
  const [visibleCount, setVisibleCount] = useState(INITIAL_POSTS)
  const posts = data?.pages.flatMap(({ rows }) => rows)
  const showMore = () => {
    setVisibleCount(visibleCount + POSTS_PER_PRESS)
    if (hasNextPage && !isFetchingNextPage && posts && posts.length < visibleCount + POSTS_PER_PRESS)
      void fetchNextPage()
  }
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-4 lg:mb-0">
        <HiddenPosts />
        <PostForm />
      </div>
      <div className="col-span-full min-w-0 lg:col-span-7 lg:col-start-6">
        {posts ? (
          <div className="grid gap-8">
            {posts.length === 0 && <p className="text-muted">Nobody has posted yet. The first word is yours.</p>}
            {posts.slice(0, visibleCount).map((post) => (
              <PostCard key={post.id} post={post} />
            ))}
            {(hasNextPage || posts.length > visibleCount) && (
              <Button onClick={showMore} aria-disabled={isFetchingNextPage} className="justify-self-start">
                {isFetchingNextPage ? 'Fetching' : 'More posts'}
              </Button>
            )}
          </div>
        ) : isError ? (
          <LoadError onRetry={() => void refetch()} retrying={isFetching}>
            The posts could not be fetched.
          </LoadError>
        ) : (
          <Skeleton className="h-80" label="Fetching the posts" />
        )}
      </div>
    </>
  )
}
