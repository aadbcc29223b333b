import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { HiddenPost } from '../../worker/contract/community'
import { useMe } from '../auth/auth.queries'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { useRestoreFocus } from '../ui/focus'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toastError } from '../ui/toast'
import { feed, hiddenPosts, useRemovePost, useVisiblePosts } from './community.queries'
import { PostCard } from './PostCard'
import { PostForm } from './PostForm'

const INITIAL_POSTS = 6
const POSTS_PER_PAGE = 12

/** The post form and the feed. */
export function Community() {
  const query = useInfiniteQuery(feed)
  const { posts, hasMore, showMore } = useVisiblePosts(query, INITIAL_POSTS, POSTS_PER_PAGE)
  return (
    <>
      <div className="col-span-full mb-12 lg:col-span-4 lg:mb-0">
        <HiddenPosts />
        <PostForm />
      </div>
      <div className="col-span-full min-w-0 lg:col-span-7 lg:col-start-6">
        <QueryBoundary
          query={query}
          loading={{ className: 'h-80', label: 'Fetching the posts' }}
          error="The posts could not be fetched."
        >
          {() => (
            <div className="grid gap-8">
              {posts.length === 0 && <p className="text-muted">Nobody has posted yet. The first word is yours.</p>}
              {posts.map((post) => (
                <PostCard key={post.id} post={post} />
              ))}
              {hasMore && (
                <Button onClick={showMore} aria-disabled={query.isFetchingNextPage} className="justify-self-start">
                  {query.isFetchingNextPage ? 'Fetching' : 'More posts'}
                </Button>
              )}
            </div>
          )}
        </QueryBoundary>
      </div>
    </>
  )
}

/** The supporter's posts that moderators hid, with the reason. */
function HiddenPosts() {
  const me = useMe()
  const { data } = useQuery({ ...hiddenPosts, enabled: Boolean(me) })
  if (!me || !data || data.length === 0) return null
  return (
    <section aria-label="Your hidden posts" className="mb-8 grid gap-5">
      {data.map((post) => (
        <HiddenPostItem key={post.id} post={post} />
      ))}
    </section>
  )
}

function HiddenPostItem({ post: { id, text, reason, createdAt } }: { post: HiddenPost }) {
  const day = useLocalDay(createdAt)
  const dismiss = useRemovePost(id)
  const { ref, isLeaving } = useRestoreFocus()
  const onDismiss = () => {
    if (dismiss.isPending) return
    isLeaving.current = true
    dismiss.mutate(undefined, {
      onError: (error) => {
        isLeaving.current = false
        toastError('That did not work')(error)
      },
    })
  }
  return (
    <article ref={ref} className="border-l-2 border-sunset pl-4">
      <h3 className="font-semibold">
        Your post of <time dateTime={createdAt}>{day}</time> was hidden
      </h3>
      <p className="mt-2 wrap-anywhere">Why: {reason}</p>
      <blockquote className="mt-3 line-clamp-4 text-sm whitespace-pre-line text-muted wrap-anywhere">{text}</blockquote>
      <p className="mt-3 text-sm text-muted">Nobody else sees it, and the points that it earned went back.</p>
      <Button variant="text" className="-ml-3" aria-disabled={dismiss.isPending} onClick={onDismiss}>
        {dismiss.isPending ? 'One moment' : 'Understood'}
      </Button>
    </article>
  )
}
