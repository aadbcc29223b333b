import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import type { PlaybackState } from './playback-store'
import { setStopAfter } from './player-engine'
import { ShareOptions } from './ShareSheet'

const SLEEP_OPTIONS = [
  { value: null, label: 'Off', hint: 'Music plays until the queue ends.' },
  { value: 'track', label: 'Stop at the end of this track', hint: null },
  { value: 'release', label: 'Stop at the end of the release', hint: null },
] as const

type Props = {
  playback: PlaybackState
  current: NonNullable<PlaybackState['current']>
  onClose: () => void
}

/** Sleep options and share options of the current track. */
export function PlayerMenu({ playback, current, onClose }: Props) {
  const [isSharing, setIsSharing] = useState(false)
  const { title, artist, href: path, album, isExclusive } = current
  const durationSeconds = Math.floor(playback.durationSeconds)
  return (
    <Dialog title={isSharing ? `Share ${title}` : 'Player options'} onClose={onClose}>
      {isSharing && path ? (
        <ShareOptions
          track={{ title, artist, path, durationSeconds, isExclusive }}
          timeSeconds={playback.timeSeconds}
        />
      ) : (
        <div className="p-6 md:p-9">
          <h2 className="mr-10 font-display text-xl">{title}</h2>
          <p className="mt-2 text-muted">{[artist, album || 'Single'].join(', ')}</p>
          {path && (
            <Button className="mt-6 w-full" onClick={() => setIsSharing(true)}>
              <Share2 size={20} aria-hidden />
              Share this track
            </Button>
          )}
          <fieldset className="mt-8 border-t border-rule pt-6">
            <legend className="float-left mb-3 w-full font-display text-lg">Sleep</legend>
            {SLEEP_OPTIONS.map(({ value, label, hint }) => (
              <label key={label} className="clear-both flex min-h-12 cursor-pointer items-center gap-4 py-2">
                <input
                  type="radio"
                  name="sleep"
                  className="size-5 shrink-0 accent-(--color-gold)"
                  checked={playback.stopAfter === value}
                  onChange={() => setStopAfter(value)}
                />
                <span>
                  {label}
                  {hint && <span className="block text-sm text-muted">{hint}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        </div>
      )}
    </Dialog>
  )
}
