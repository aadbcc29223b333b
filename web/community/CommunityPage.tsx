import '../styles/community.css'
import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { HiddenPost } from '../../worker/contract/community'
import { useMe, useRefetchPersonalized } from '../auth/auth.queries'
import { formatCount } from '../lib/format'
import { useLocalDay } from '../lib/local-day'
import { useServerData } from '../lib/server-data'
import { topSupporters } from '../points/points.queries'
import { activePolls, useActivePolls } from '../polls/polls.queries'
import { Button, buttonClass } from '../ui/Button'
import { EmptyPanel } from '../ui/EmptyPanel'
import { useRestoreFocus } from '../ui/focus'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toastError } from '../ui/toast'
import { communityFeed, hiddenPosts, useRemovePost, useVisiblePosts } from './community.queries'
import { PostCard } from './PostCard'
import { PostForm } from './PostForm'

const INITIAL_POSTS = 12
const POSTS_PER_PAGE = 12
const MAX_POLLS = 3
const MAX_TOP_SUPPORTERS = 5

export const preloadCommunity = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.ensureInfiniteQueryData(communityFeed),
    queryClient.ensureQueryData(activePolls),
    queryClient.ensureQueryData(topSupporters),
  ])

/** /community: the post form, the posts, the open polls and the top supporters. */
export function CommunityPage() {
  useRefetchPersonalized()
  const query = useServerData(useInfiniteQuery(communityFeed), communityFeed.queryKey)
  const { posts, hasMore, showMore } = useVisiblePosts(query, INITIAL_POSTS, POSTS_PER_PAGE)
  return (
    <main
      id="content"
      tabIndex={-1}
      className="page-grid items-start pt-10 pb-24 md:pt-16 lg:grid-rows-[auto_auto_1fr]"
    >
      <h1 className="col-span-full mb-10 font-display text-community md:mb-14">Community</h1>
      <div className="col-span-full mb-12 lg:col-span-4">
        <div className="compose">
          <PostForm />
        </div>
        <HiddenPosts />
      </div>
      <section
        aria-label="Posts"
        className="col-span-full min-w-0 lg:col-span-7 lg:col-start-6 lg:row-span-2 lg:row-start-2"
      >
        <QueryBoundary
          query={query}
          loading={{ className: 'h-80', label: 'Loading the posts' }}
          error="The posts could not be loaded."
        >
          {() => (
            <div className="grid gap-8">
              {posts.length === 0 && (
                <EmptyPanel title="The floor is yours" headingLevel="h2">
                  <p>No posts yet. Be the first to write one.</p>
                </EmptyPanel>
              )}
              {posts.map((post) => (
                <PostCard key={post.id} post={post} />
              ))}
              {hasMore && (
                <Button onClick={showMore} aria-disabled={query.isFetchingNextPage} className="justify-self-start">
                  {query.isFetchingNextPage ? 'Loading' : 'More posts'}
                </Button>
              )}
            </div>
          )}
        </QueryBoundary>
      </section>
      <aside aria-label="Polls and top supporters" className="community-aside">
        <OpenPolls />
        <TopSupporters />
      </aside>
    </main>
  )
}

/** The open polls by title; voting is in the hub. */
function OpenPolls() {
  const { data: polls } = useActivePolls()
  if (!polls || polls.length === 0) return null
  return (
    <section aria-labelledby="open-polls">
      <h2 id="open-polls" className="border-b-4 border-gold pb-3 font-label text-gold">
        Open polls
      </h2>
      <ul>
        {polls.slice(0, MAX_POLLS).map(({ id, title }) => (
          <li key={id} className="border-b border-rule">
            <Link
              to="/hub"
              hash="community-voting"
              className="flex min-h-14 items-center justify-between gap-4 py-3 leading-snug font-semibold wrap-anywhere hover:text-gold-bright"
            >
              {title}
              <ArrowRight size={20} aria-hidden className="shrink-0 text-gold" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TopSupporters() {
  const { data } = useQuery(topSupporters)
  if (!data || data.entries.length === 0) return null
  return (
    <section aria-labelledby="top-supporters">
      <h2 id="top-supporters" className="border-b-4 border-gold pb-3 font-label text-gold">
        Top supporters
      </h2>
      <ol>
        {data.entries.slice(0, MAX_TOP_SUPPORTERS).map(({ rank, username, points }) => (
          <li key={username} className="flex min-h-13 items-center gap-4 border-b border-rule">
            <span className="tabular-figures w-7 font-display text-lg text-muted">{rank}</span>
            <span className="min-w-0 truncate font-semibold">{username}</span>
            <span className="tabular-figures ml-auto shrink-0 text-sm text-gold">{formatCount(points)} pts</span>
          </li>
        ))}
      </ol>
      <Link to="/hub" className={buttonClass('text', 'mt-2 -ml-3')}>
        See the whole leaderboard
      </Link>
    </section>
  )
}

/** The supporter's posts that admins hid, with the reason. */
function HiddenPosts() {
  const me = useMe()
  const { data } = useQuery({ ...hiddenPosts, enabled: Boolean(me) })
  if (!me || !data || data.length === 0) return null
  return (
    <section aria-label="Your hidden posts" className="mt-8 grid gap-5">
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
        toastError('The notice was not dismissed')(error)
      },
    })
  }
  return (
    <article ref={ref} className="border-l-2 border-sunset pl-4">
      <h2 className="font-semibold">
        Your post from <time dateTime={createdAt}>{day}</time> was hidden
      </h2>
      <p className="mt-2 wrap-anywhere">Why: {reason}</p>
      <blockquote className="mt-3 line-clamp-4 text-sm whitespace-pre-line text-muted wrap-anywhere">{text}</blockquote>
      <p className="mt-3 text-sm text-muted">Only you see it. We took back its points.</p>
      <Button variant="text" className="-ml-3" aria-disabled={dismiss.isPending} onClick={onDismiss}>
        {dismiss.isPending ? 'Dismissing' : 'Dismiss the notice'}
      </Button>
    </article>
  )
}
