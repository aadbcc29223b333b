import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { communityApi, type ModeratedPost } from '../../worker/contract/community'
import { POST_LIMITS } from '../../worker/contract/draft-rules'
import { AdminList } from '../admin/list/AdminList'
import { type AdminListDefinition, type BulkDialogProps, choiceFilter } from '../admin/list/list-definition'
import { usePendingTaskCounts } from '../admin/pending-tasks.queries'
import { toScreen, useScreenSearch } from '../admin/screen-location'
import { ReasonDialog, ReasonForm } from '../layout/ReasonForm'
import { formatCount, formatCountOf } from '../lib/format'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { QueryBoundary } from '../ui/QueryBoundary'
import { toast, toastError } from '../ui/toast'
import {
  COMMUNITY_QUERY_KEYS,
  DEFAULT_HIDE_REASON,
  dismissReports,
  reportedPosts,
  useModerate,
} from './moderation.queries'
import { PostBody } from './PostBody'

const postList: AdminListDefinition<'/api/admin/community/posts', ModeratedPost> = {
  name: 'community',
  title: 'Posts',
  endpoint: communityApi.moderatedPosts,
  searchLabel: 'Search by text or author',
  tabs: [
    {
      id: 'reported',
      label: 'Reported',
      empty: 'No reported posts. Posts that fans report appear here; all others are under “All posts”.',
    },
    { id: 'all', label: 'All posts', empty: 'No posts yet. Fans write them on the community page.' },
  ],
  nameOf: (row) => `Post by ${row.author}`,
  linkOf: (row) => toScreen('supporter', { params: { id: String(row.authorId) } }),
  columns: [
    { id: 'author', header: 'Author', cell: (row) => <span className="break-all">{row.author}</span> },
    { id: 'post', header: 'Post', cell: (row) => <PostCell post={row} /> },
    { id: 'posted', header: 'Posted', cell: (row) => <PostDay createdAt={row.createdAt} />, sort: 'created' },
    { id: 'likes', header: 'Likes', cell: (row) => formatCount(row.likes), sort: 'likes', isNumeric: true },
  ],
  filters: [
    choiceFilter('author', 'Author', { active: 'Active', banned: 'Banned' }),
    { id: 'created', label: 'Posted', kind: 'days' },
  ],
  bulkActions: [
    {
      label: 'Keep',
      appliesTo: (row) => row.reports > 0,
      run: dismissReports,
      keys: COMMUNITY_QUERY_KEYS,
      done: 'Posts kept',
    },
    { label: 'Hide', Dialog: HidePostsDialog },
  ],
  empty: 'No posts yet.',
}

/** URL parameter that opens the review of the reported posts, one by one. */
const REVIEW_PARAM = 'review'

/** Moderation of the community's posts. */
export function CommunityTab() {
  const [search, setSearch] = useScreenSearch()
  const reportCount = usePendingTaskCounts().get('community') ?? 0
  return (
    <>
      <AdminList
        list={postList}
        note="Hiding a post is permanent and takes back its points. The author sees the reason."
        tools={
          reportCount > 0 && (
            <Button onClick={() => setSearch({ [REVIEW_PARAM]: 'next' }, { push: true })}>Review one by one</Button>
          )
        }
        actions={(post) => <PostActions post={post} />}
      />
      {search[REVIEW_PARAM] && <ReviewDialog onClose={() => setSearch({ [REVIEW_PARAM]: '' })} />}
    </>
  )
}

/** Reported posts, one after the other. */
function ReviewDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(reportedPosts)
  const moderate = useModerate()
  const [post] = query.data ?? []
  const isDone = query.data?.length === 0
  useEffect(() => {
    if (isDone) onClose()
  })
  return (
    <Dialog title="Review reported posts" onClose={onClose}>
      <QueryBoundary
        query={query}
        loading={{ label: 'Loading the reported posts', className: 'm-9 h-72' }}
        error="The reported posts could not be loaded."
        errorClassName="p-9"
      >
        {() =>
          post && (
            <ReasonForm
              key={post.id}
              title={`Reported post by ${post.author}`}
              hint={`${post.author} sees it. Hiding the post is permanent and takes back its points.`}
              maxLength={POST_LIMITS.reason}
              defaultReason={DEFAULT_HIDE_REASON}
              confirmLabel="Hide the post"
              onSubmit={(reason) =>
                moderate.mutateAsync({ kind: 'hide', id: post.id, reason }).then(() => toast({ title: 'Post hidden' }))
              }
              otherActions={
                <Button
                  aria-disabled={moderate.isPending}
                  onClick={() =>
                    moderate.isPending ||
                    moderate.mutate(
                      { kind: 'dismissReports', id: post.id, reports: post.reports },
                      {
                        onSuccess: () => toast({ title: 'Post kept' }),
                        onError: toastError('The reports are still open'),
                      },
                    )
                  }
                >
                  Keep the post
                </Button>
              }
              onCancel={onClose}
            >
              <div className="text-ivory">
                <PostCell post={post} />
              </div>
            </ReasonForm>
          )
        }
      </QueryBoundary>
    </Dialog>
  )
}

function PostDay({ createdAt }: { createdAt: string }) {
  const day = useLocalDay(createdAt)
  return (
    <time dateTime={createdAt} className="tabular-figures whitespace-nowrap">
      {day}
    </time>
  )
}

const PostCell = ({ post }: { post: ModeratedPost }) => (
  <div className="max-w-prose *:first:mt-0">
    <PostBody post={post} />
    {(post.reports > 0 || post.isBanned) && (
      <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-sunset">
        {post.reports > 0 && (
          <span className="tabular-figures font-semibold">{formatCountOf(post.reports, 'report')}</span>
        )}
        {post.isBanned && <span>Author banned</span>}
      </p>
    )}
    {post.reasons.length > 0 && (
      <p className="mt-1 text-sm text-muted wrap-anywhere">Reported for: {post.reasons.join(' · ')}</p>
    )}
  </div>
)

function PostActions({ post }: { post: ModeratedPost }) {
  const moderate = useModerate()
  const [dialog, setDialog] = useState<'hide' | 'ban' | null>(null)
  const authorId = String(post.authorId)
  const moderationHandler = (action: Parameters<typeof moderate.mutate>[0], title: string) => () => {
    if (moderate.isPending) return
    moderate.mutate(action, { onSuccess: () => toast({ title }), onError: toastError('Not done') })
  }
  return (
    <>
      {post.reports > 0 && (
        <Button
          aria-disabled={moderate.isPending}
          onClick={moderationHandler({ kind: 'dismissReports', id: post.id, reports: post.reports }, 'Post kept')}
        >
          Keep
        </Button>
      )}
      <Button onClick={() => setDialog('hide')}>Hide</Button>
      {post.isBanned ? (
        <Button
          variant="text"
          aria-disabled={moderate.isPending}
          onClick={moderationHandler({ kind: 'unban', id: authorId }, 'Unbanned')}
        >
          Unban {post.author}
        </Button>
      ) : (
        <Button variant="text" onClick={() => setDialog('ban')}>
          Ban {post.author}
        </Button>
      )}
      {dialog && (
        <ReasonDialog
          title={dialog === 'hide' ? `Hide the post by ${post.author}?` : `Ban ${post.author}?`}
          confirmLabel={dialog === 'hide' ? 'Hide the post' : 'Ban'}
          maxLength={POST_LIMITS.reason}
          defaultReason={dialog === 'hide' ? DEFAULT_HIDE_REASON : undefined}
          onSubmit={(reason) =>
            moderate
              .mutateAsync({ kind: dialog, id: dialog === 'hide' ? post.id : authorId, reason })
              .then(() => toast({ title: dialog === 'hide' ? 'Post hidden' : 'Banned' }))
          }
          onClose={() => setDialog(null)}
        >
          <p>
            {dialog === 'hide'
              ? 'The author sees the reason.'
              : 'They are logged out right away, and their posts and pictures are hidden until they are unbanned.'}
          </p>
        </ReasonDialog>
      )}
    </>
  )
}

/** Hides the selected posts with one reason. */
function HidePostsDialog({ rows, onDone, onClose }: BulkDialogProps<ModeratedPost>) {
  const moderate = useModerate()
  const authors = [...new Set(rows.map((row) => row.author))]
  const listedAuthors = authors.length > 4 ? [...authors.slice(0, 3), `${authors.length - 3} others`] : authors
  const authorNames = new Intl.ListFormat('en-US').format(listedAuthors)
  return (
    <ReasonDialog
      title={rows.length === 1 ? `Hide the post by ${authorNames}?` : `Hide ${rows.length} posts by ${authorNames}?`}
      confirmLabel="Hide"
      maxLength={POST_LIMITS.reason}
      defaultReason={DEFAULT_HIDE_REASON}
      onSubmit={async (reason) => {
        for (const row of rows) {
          await moderate.mutateAsync({ kind: 'hide', id: row.id, reason })
          onDone([row])
        }
        toast({ title: `${formatCountOf(rows.length, 'post')} hidden` })
      }}
      onClose={onClose}
    >
      <p>Each author sees the reason. This cannot be undone.</p>
    </ReasonDialog>
  )
}
