import { Flag, Heart, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Post } from '../../worker/contract/community'
import { useMe } from '../auth/auth.queries'
import { useLocalDay } from '../lib/local-day'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { useRestoreFocus } from '../ui/focus'
import { toast } from '../ui/toast'
import { useLikePost, useRemovePost } from './community.queries'
import { PostBody } from './PostBody'
import { ReportDialog } from './ReportDialog'

const actionClass = 'inline-flex min-h-12 items-center gap-2 px-2 text-sm text-muted hover:text-gold-bright'
const showLoginRequired = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to join in', tone: 'destructive' })

/** A post: whose, when, what, and what can be done with it. */
export function PostCard({ post }: { post: Post }) {
  const me = useMe()
  const day = useLocalDay(post.createdAt)
  const like = useLikePost(post)
  const remove = useRemovePost(post.id)
  const { own, goes } = useRestoreFocus()
  const [dialog, setDialog] = useState<'remove' | 'report' | null>(null)
  const showError = ({ message }: Error) => toast({ title: 'That did not work', text: message, tone: 'destructive' })
  const requireLogin = (act: () => void) => () => (me ? act() : showLoginRequired())
  const confirm = () => {
    goes.current = true
    // A promise and no callbacks: those are lost where the post is off the page before the answers are all there.
    const onError = (error: Error) => {
      goes.current = false
      showError(error)
    }
    const onRemoved = () => toast({ title: 'Post removed' })
    void remove
      .mutateAsync()
      .then(onRemoved, onError)
      .finally(() => setDialog(null))
  }
  return (
    <article ref={own} aria-label={`Post by ${post.author}`} className="border-t border-rule pt-5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold break-all">{post.author}</span>
        <time dateTime={post.createdAt} className="figures text-sm text-muted">
          {day}
        </time>
      </p>
      <PostBody post={post} />
      <p className="mt-2 -ml-2 flex flex-wrap gap-x-3">
        <button
          type="button"
          aria-pressed={post.liked}
          aria-disabled={like.isPending}
          onClick={requireLogin(() => like.isPending || like.mutate(undefined, { onError: showError }))}
          className={actionClass}
        >
          <Heart size={18} aria-hidden fill={post.liked ? 'currentColor' : 'none'} />
          <span className="sr-only">{`Like the post by ${post.author}, likes:`}</span>
          <span className="figures">{post.likes}</span>
        </button>
        {post.mine ? (
          <button type="button" onClick={() => setDialog('remove')} className={actionClass}>
            <Trash2 size={18} aria-hidden /> Remove
          </button>
        ) : (
          <button type="button" onClick={requireLogin(() => setDialog('report'))} className={actionClass}>
            <Flag size={18} aria-hidden /> Report <span className="sr-only">the post by {post.author}</span>
          </button>
        )}
      </p>
      {dialog === 'report' && <ReportDialog id={post.id} onClose={() => setDialog(null)} />}
      {dialog === 'remove' && (
        <ConfirmDialog
          title="Remove this post?"
          confirm="Remove"
          pending={remove.isPending}
          onConfirm={confirm}
          onClose={() => setDialog(null)}
        >
          <p>It is gone for good, and the points that it earned go back.</p>
        </ConfirmDialog>
      )}
    </article>
  )
}
