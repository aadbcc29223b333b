import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Heart } from 'lucide-react'
import { useState } from 'react'
import type { Track } from '../../worker/contract/tracks'
import { useMe } from '../auth/auth.queries'

/** A heart that is full while the reader likes the track; pressing it again takes the like back (ruling 18). */
export function LikeButton({ track, className }: { track: Track; className: string }) {
  const me = useMe()
  const queries = useQueryClient()
  const [pending, setPending] = useState(false)
  const press = async () => {
    if (pending) return
    setPending(true)
    const { toastLoginRequired: askToLogIn, toggleLike: likeOrTakeBack } = await import('./toggle-like')
    if (me === null) askToLogIn()
    else await likeOrTakeBack(queries, track)
    setPending(false)
  }
  return (
    <button
      type="button"
      aria-label={`Like ${track.title}`}
      aria-pressed={track.liked}
      aria-disabled={pending}
      onClick={() => void press().catch(() => setPending(false))}
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
