import { Pause, Play } from 'lucide-react'

type Props = {
  isPlaying: boolean
  /** Size in pixels. */
  size: number
  /** Class of the triangle, to correct its optical center. */
  playClassName?: string
}

/** The icon of a button that plays or pauses. */
export function PlayPauseIcon({ isPlaying, size, playClassName }: Props) {
  return isPlaying ? (
    <Pause size={size} fill="currentColor" aria-hidden />
  ) : (
    <Play size={size} fill="currentColor" className={playClassName} aria-hidden />
  )
}
