import { Flag, Heart, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Post } from '../../worker/contract/community'
import { POST_LIMITS } from '../../worker/contract/draft-rules'
import { useMe } from '../auth/auth.queries'
import { type PendingChoice, requestSignUp } from '../auth/pending-choice'
import { ReasonDialog } from '../layout/ReasonForm'
import { useLocalDay } from '../lib/local-day'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { useRestoreFocus } from '../ui/focus'
import { toast, toastError } from '../ui/toast'
import { useLikePost, useRemovePost, useReportPost } from './community.queries'
import { PostAuthor, PostBody } from './PostBody'

const actionClass = 'inline-flex min-h-12 items-center gap-2 px-2 text-sm text-muted hover:text-gold-bright'
const toastFailure = toastError('That did not work')

/** A post with its actions: like, and remove (the author) or report (others). */
export function PostCard({ post }: { post: Post }) {
  const me = useMe()
  const day = useLocalDay(post.createdAt)
  const like = useLikePost(post)
  const remove = useRemovePost(post.id)
  const { ref, isLeaving } = useRestoreFocus()
  const report = useReportPost(post.id)
  const [dialog, setDialog] = useState<'remove' | 'report' | null>(null)
  const requireLogin = (choice: PendingChoice, action: () => void) => () => (me ? action() : requestSignUp(choice))
  const confirmRemoval = () => {
    isLeaving.current = true
    const onError = (error: Error) => {
      isLeaving.current = false
      toastFailure(error)
    }
    const onRemoved = () => toast({ title: 'Post removed' })
    // `mutateAsync`, because the callbacks of `mutate` do not run after the refetch has unmounted the post.
    void remove
      .mutateAsync()
      .then(onRemoved, onError)
      .finally(() => setDialog(null))
  }
  return (
    <article ref={ref} aria-label={`Post by ${post.author}`} className="border-t border-rule pt-5">
      <PostAuthor author={post.author} createdAt={post.createdAt} day={day} />
      <PostBody post={post} />
      <p className="mt-2 -ml-2 flex flex-wrap gap-x-3">
        <button
          type="button"
          aria-pressed={post.liked}
          aria-disabled={like.isPending}
          onClick={requireLogin(
            { kind: 'postLike', postId: post.id, title: `the post by ${post.author}` },
            () => like.isPending || like.mutate(undefined, { onError: toastFailure }),
          )}
          className={actionClass}
        >
          <Heart size={18} aria-hidden fill={post.liked ? 'currentColor' : 'none'} />
          <span className="sr-only">{`Like the post by ${post.author}, likes:`}</span>
          <span className="tabular-figures">{post.likes}</span>
        </button>
        {post.mine ? (
          <button type="button" onClick={() => setDialog('remove')} className={actionClass}>
            <Trash2 size={18} aria-hidden /> Remove
          </button>
        ) : (
          <button
            type="button"
            onClick={requireLogin({ kind: 'other', toast: 'Please sign up or log in to report a post' }, () =>
              setDialog('report'),
            )}
            className={actionClass}
          >
            <Flag size={18} aria-hidden /> Report <span className="sr-only">the post by {post.author}</span>
          </button>
        )}
      </p>
      {dialog === 'report' && (
        <ReasonDialog
          title="Report this post?"
          label="What is wrong with it?"
          confirmLabel="Report"
          maxLength={POST_LIMITS.reason}
          isOptional
          onSubmit={(reason) =>
            report
              .mutateAsync(reason)
              .then(() => toast({ title: 'Reported', text: 'Thank you. The team will look at it.' }))
          }
          onClose={() => setDialog(null)}
        >
          <p>Someone on the artist’s team will look at it. The author won’t know who reported it.</p>
        </ReasonDialog>
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title="Remove this post?"
          confirmLabel="Remove"
          pending={remove.isPending}
          onConfirm={confirmRemoval}
          onClose={() => setDialog(null)}
        >
          <p>It is deleted for good, and its points are taken back.</p>
        </ConfirmDialog>
      )}
    </article>
  )
}
