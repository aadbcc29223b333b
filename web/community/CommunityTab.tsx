import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ModerationQueuePost } from '../../worker/contract/community'
import { Panel } from '../admin/Panel'
import { ReasonDialog } from '../layout/ReasonForm'
import { formatCountOf } from '../lib/format'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import { useVisiblePosts } from './community.queries'
import { BAN_KEEPS_IMAGES_TEXT, moderationQueue, useModerate } from './moderation.queries'
import { PostBody } from './PostBody'

const INITIAL_POSTS = 10
const POSTS_PER_PAGE = 20

/** Moderation of the community's posts. */
export function CommunityTab() {
  const query = useInfiniteQuery(moderationQueue)
  const { posts, hasMore, showMore } = useVisiblePosts(query, INITIAL_POSTS, POSTS_PER_PAGE)
  return (
    <div className="grid gap-12">
      <Panel title="Posts" note="Reported posts come first. Hiding a post is permanent and takes back its points.">
        <QueryBoundary
          query={query}
          loading={{ className: 'h-96', label: 'Loading the posts' }}
          error="The posts could not be loaded."
        >
          {() => (
            <>
              <ul className="grid gap-6">
                {posts.length === 0 && <li className="text-muted">No posts yet.</li>}
                {posts.map((post) => (
                  <li key={post.id}>
                    <ModeratedPost post={post} />
                  </li>
                ))}
              </ul>
              {hasMore && (
                <Button className="mt-6" aria-disabled={query.isFetchingNextPage} onClick={showMore}>
                  {query.isFetchingNextPage ? 'Loading' : 'More posts'}
                </Button>
              )}
            </>
          )}
        </QueryBoundary>
      </Panel>
    </div>
  )
}

function ModeratedPost({ post }: { post: ModerationQueuePost }) {
  const day = useLocalDay(post.createdAt)
  const moderate = useModerate()
  const [dialog, setDialog] = useState<'hide' | 'ban' | null>(null)
  const authorId = String(post.authorId)
  const run = (action: Parameters<typeof moderate.mutate>[0], title: string) => () => {
    if (moderate.isPending) return
    moderate.mutate(action, { onSuccess: () => toast({ title }), onError: toastError('Not done') })
  }
  return (
    <article aria-label={`Post by ${post.author}`} className="border border-rule bg-sleeve p-4 md:p-5">
      <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <span className="font-semibold break-all">{post.author}</span>
        <time dateTime={post.createdAt} className="tabular-figures text-sm text-muted">
          {day}
        </time>
        {post.reports > 0 && (
          <span className="tabular-figures text-sm font-semibold text-sunset">
            {formatCountOf(post.reports, 'report')}
          </span>
        )}
        {post.isBanned && <span className="text-sm text-sunset">Suspended</span>}
      </p>
      <div className="max-w-2xl">
        <PostBody post={post} />
      </div>
      {post.reasons.length > 0 && (
        <p className="mt-3 text-sm text-muted wrap-anywhere">Reported for: {post.reasons.join(' · ')}</p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {post.reports > 0 && (
          <Button
            aria-disabled={moderate.isPending}
            onClick={run({ kind: 'keep', id: post.id, reports: post.reports }, 'Post kept')}
          >
            Keep
          </Button>
        )}
        <Button onClick={() => setDialog('hide')}>Hide</Button>
        {post.isBanned ? (
          <Button variant="text" onClick={run({ kind: 'unban', id: authorId }, 'Suspension lifted')}>
            Let {post.author} back in
          </Button>
        ) : (
          <Button variant="text" onClick={() => setDialog('ban')}>
            Suspend {post.author}
          </Button>
        )}
      </div>
      {dialog && (
        <ReasonDialog
          title={dialog === 'hide' ? 'Hide this post?' : `Suspend ${post.author}?`}
          confirm={dialog === 'hide' ? 'Hide' : 'Suspend'}
          maxLength={300}
          onSubmit={(reason) =>
            moderate
              .mutateAsync({ kind: dialog, id: dialog === 'hide' ? post.id : authorId, reason })
              .then(() => toast({ title: dialog === 'hide' ? 'Post hidden' : 'Suspended' }))
          }
          onClose={() => setDialog(null)}
        >
          <p>
            {dialog === 'hide'
              ? 'The author sees the reason.'
              : `They are logged out and their posts are hidden right away. ${BAN_KEEPS_IMAGES_TEXT}`}
          </p>
        </ReasonDialog>
      )}
    </article>
  )
}
