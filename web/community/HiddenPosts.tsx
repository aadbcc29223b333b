import { useQuery } from '@tanstack/react-query'
import type { HiddenPost } from '../../worker/contract/community'
import { useMe } from '../auth/auth.queries'
import { useLocalDay } from '../lib/local-day'
import { Button } from '../ui/Button'
import { useRestoreFocus } from '../ui/focus'
import { toast } from '../ui/toast'
import { hiddenPosts, useRemovePost } from './community.queries'

/** What the moderators hid of one's own, and why. Nothing where there is none: it is no part of the page. */
export function HiddenPosts() {
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
  const { own, goes } = useRestoreFocus()
  const onDismiss = () => {
    if (dismiss.isPending) return
    goes.current = true
    dismiss.mutate(undefined, {
      onError: ({ message }) => {
        goes.current = false
        toast({ title: 'That did not work', text: message, tone: 'destructive' })
      },
    })
  }
  return (
    <article ref={own} className="border-l-2 border-sunset pl-4">
      <h3 className="font-semibold">
        Your post of <time dateTime={createdAt}>{day}</time> was hidden
      </h3>
      <p className="mt-2 wrap-anywhere">Why: {reason}</p>
      <blockquote className="mt-3 line-clamp-4 text-sm whitespace-pre-line text-muted wrap-anywhere">{text}</blockquote>
      <p className="mt-3 text-sm text-muted">Nobody else sees it, and the points that it earned went back.</p>
      <Button variant="quiet" className="-ml-3" aria-disabled={dismiss.isPending} onClick={onDismiss}>
        {dismiss.isPending ? 'One moment' : 'Understood'}
      </Button>
    </article>
  )
}
