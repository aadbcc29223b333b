import { useEffect, useRef } from 'react'
import type { TierId } from '../../worker/contract/site'
import type { Track } from '../../worker/contract/tracks'
import { formatCompactNumber } from '../lib/format'
import { LoadError } from '../ui/LoadError'
import { canPlay } from './featured-track'
import { LikeButton } from './LikeButton'
import { LockedTrack } from './LockedTrack'
import { PlayerControls, type Sound } from './PlayerControls'
import { useMediaSession } from './useMediaSession'
import { usePlayer } from './usePlayer'
import { VinylRecord } from './VinylRecord'

type Props = {
  track: Track
  tier: TierId
  sound: Sound
  onSound: (sound: Sound) => void
  /** True when the listener chose this track: focus follows. */
  chosen: boolean
}

/** One track on the turntable. Give it a key: another track is another player. */
export function Player({ track, tier, sound, onSound, chosen }: Props) {
  const player = usePlayer(track, tier)
  const playButton = useRef<HTMLButtonElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const { playing, element } = player
  useMediaSession(track, playing, player)

  useEffect(() => {
    if (element.ref.current) Object.assign(element.ref.current, sound)
  }, [element.ref, sound])
  useEffect(() => {
    if (chosen) (playButton.current ?? title.current)?.focus()
  }, [chosen])

  const press = () => {
    player.play()
    // Specification section 4: a track that is on Spotify is opened there as well.
    if (track.spotifyUrl) window.open(track.spotifyUrl, '_blank', 'noopener')
  }
  return (
    <>
      <VinylRecord track={track} turning={playing} className="col-span-full lg:col-span-7" />
      <div className="col-span-full flex flex-col max-lg:mt-8 lg:col-span-5 lg:justify-center">
        {track.isTrending && (
          <p className="mb-4 w-fit border border-gold px-3 py-1 font-label text-gold-bright">TRENDING</p>
        )}
        <h3 ref={title} tabIndex={-1} className="font-display text-track outline-none">
          {track.title}
        </h3>
        <p className="mt-3 text-lg text-muted">
          {track.artist}, {track.album || 'Single'}
        </p>
        <div className="figures mt-4 mb-5 flex items-center gap-6 font-semibold">
          <span>{formatCompactNumber(track.plays)} plays</span>
          <span>{formatCompactNumber(track.likes)} likes</span>
          <LikeButton track={track} className="-ml-3" />
        </div>
        {!canPlay(track, tier) ? (
          <LockedTrack />
        ) : !track.hasAudio ? (
          <p className="text-muted">There is no recording of this track here yet.</p>
        ) : (
          <>
            <audio {...element} preload="none" src={`/api/tracks/${track.id}/audio`} />
            <PlayerControls {...{ track, player, sound, onSound, playButton }} onPlay={press} />
            <div className="mt-3 min-h-12">
              {player.trouble === 'failed' && (
                <LoadError onRetry={player.retry}>The recording could not be loaded.</LoadError>
              )}
              {player.tracked && (
                <p role="status" className="text-sm text-bay">
                  Stream tracked for analytics and monetization insights
                </p>
              )}
            </div>
          </>
        )}
      </div>
    </>
  )
}
