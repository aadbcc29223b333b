import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import type { Track } from '../../worker/contract/tracks'
import { useMe } from '../auth/auth.queries'
import { requestSignUp } from '../auth/pending-choice'
import { toastError } from '../ui/toast'

type LikableTrack = Pick<Track, 'id' | 'title' | 'liked'>

/** Likes or unlikes a track. */
export function LikeButton({ track, className }: { track: LikableTrack; className: string }) {
  const me = useMe()
  const queryClient = useQueryClient()
  const [isPending, setIsPending] = useState(false)
  const toggle = async () => {
    if (isPending) return
    if (me === null) return requestSignUp({ kind: 'like', trackId: track.id, title: track.title })
    setIsPending(true)
    await import('./like').then(({ toggleLike }) => toggleLike(queryClient, track), toastError('Like failed'))
    setIsPending(false)
  }
  return (
    <button
      type="button"
      aria-label={`Like ${track.title}`}
      aria-pressed={track.liked}
      aria-disabled={isPending || undefined}
      onClick={() => void toggle()}
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
