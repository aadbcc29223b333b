import { useEffect, useRef } from 'react'
import type { Track } from '../../worker/contract/tracks'

type Controls = { play: () => void; pause: () => void; seek: (to: number) => void }

/** Shows the track on the lock screen while it plays, with working play, pause and seek. */
export function useMediaSession(track: Track, playing: boolean, controls: Controls) {
  const latest = useRef(controls)
  useEffect(() => {
    latest.current = controls
  })
  useEffect(() => {
    const session = navigator.mediaSession
    if (!playing || !session) return
    session.metadata = new MediaMetadata({
      title: track.title,
      artist: track.artist,
      album: track.album || 'Single',
      artwork: [{ src: track.coverUrl }],
    })
    session.setActionHandler('play', () => latest.current.play())
    session.setActionHandler('pause', () => latest.current.pause())
    session.setActionHandler('seekto', ({ seekTime }) => latest.current.seek(seekTime ?? 0))
  }, [track, playing])
  useEffect(
    () => () => {
      const session = navigator.mediaSession
      if (!session) return
      session.metadata = null
      for (const action of ['play', 'pause', 'seekto'] as const) session.setActionHandler(action, null)
    },
    [],
  )
}
