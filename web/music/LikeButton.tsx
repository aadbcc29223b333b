import { clsx } from 'clsx'
import { Heart } from 'lucide-react'
import type { Track } from '../../worker/contract/tracks'
import { useMe } from '../auth/auth.queries'
import { toast } from '../ui/toast'
import { useLike } from './tracks.queries'

const askToLogIn = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to like a track', tone: 'destructive' })

/** A heart that is full while the reader likes the track; pressing it again takes the like back (ruling 18). */
export function LikeButton({ track, className }: { track: Track; className: string }) {
  const me = useMe()
  const like = useLike(track)
  const press = () => {
    if (me === null) return askToLogIn()
    like.mutate(undefined, {
      onSuccess: ({ liked }) =>
        toast(
          liked
            ? { title: 'Liked!', text: 'Track added to your favorites' }
            : { title: 'Like taken back', text: 'Track removed from your favorites' },
        ),
      onError: (error) =>
        'status' in error && error.status === 401
          ? askToLogIn()
          : toast({ title: 'Like failed', text: error.message, tone: 'destructive' }),
    })
  }
  return (
    <button
      type="button"
      aria-label={`Like ${track.title}`}
      aria-pressed={track.liked}
      disabled={like.isPending}
      onClick={press}
      className={clsx(
        'grid size-12 shrink-0 place-items-center transition duration-200 ease-out hover:text-gold-bright',
        track.liked ? 'text-gold' : 'text-ivory',
        className,
      )}
    >
      <Heart size={22} fill={track.liked ? 'currentColor' : 'none'} aria-hidden />
    </button>
  )
}
