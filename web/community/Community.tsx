import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../ui/Button'
import { LoadError } from '../ui/LoadError'
import { Skeleton } from '../ui/Skeleton'
import { feed } from './community.queries'
import { PostCard } from './PostCard'
import { PostForm } from './PostForm'

/** What supporters say, and where they say it. */
export function Community() {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(feed)
  const posts = data?.pages.flatMap(({ rows }) => rows)
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-4 lg:mb-0">
        <PostForm />
      </div>
      <div className="col-span-full min-w-0 lg:col-span-7 lg:col-start-6">
        {posts ? (
          <div className="grid gap-8">
            {posts.length === 0 && <p className="text-muted">Nobody has posted yet. The first word is yours.</p>}
            {posts.map((post) => (
              <PostCard key={post.id} post={post} />
            ))}
            {hasNextPage && (
              <Button onClick={() => void fetchNextPage()} aria-disabled={isFetchingNextPage}>
                {isFetchingNextPage ? 'Fetching' : 'Older posts'}
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
