import type { Lyrics, ReleaseTrack } from '../../worker/contract/releases'
import { usePlayback } from '../player/player-store'
import type { ReleasePlayback } from './release-playback'

type Props = { track: ReleaseTrack; lyrics: Lyrics; playback: ReleasePlayback }

/** Timed lyrics follow the track and seek it; others are plain text. */
export function LyricsSection({ track, lyrics, playback }: Props) {
  const { current, timeSeconds } = usePlayback()
  const activeLine = current?.id === track.id ? lyrics.lines.findLastIndex(({ at }) => at <= timeSeconds) : -1
  const canSeek = playback.isPlayable(track)
  return (
    <section aria-labelledby="lyrics" className="mt-12">
      <h2 id="lyrics" className="mb-6 border-t-2 border-gold pt-4 font-display text-xl">
        Lyrics
      </h2>
      {lyrics.lines.length === 0 ? (
        <div className="lyrics-plain">
          {lyrics.plain.split(/\n\s*\n/).map((verse) => (
            <p key={verse}>{verse}</p>
          ))}
        </div>
      ) : (
        <ol className="lyrics-timed" data-following={activeLine >= 0 || undefined}>
          {lyrics.lines.map(({ at, text }, index) => (
            <li key={at} aria-current={index === activeLine || undefined}>
              {text === '' ? (
                <span className="block h-4" />
              ) : canSeek ? (
                <button type="button" onClick={() => playback.playFrom(track, at)}>
                  {text}
                </button>
              ) : (
                text
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
