import { Volume2, VolumeX } from 'lucide-react'
import { Range } from '../ui/Range'
import { Tooltip } from '../ui/Tooltip'
import { usePlayback } from './playback-store'
import { setMuted, setVolume } from './player-commands'

/** Mute button and volume slider of the player. */
export function VolumeControl({ className }: { className?: string }) {
  const { volume, isMuted } = usePlayback()
  const isSilent = isMuted || volume === 0
  return (
    <>
      <Tooltip label={isMuted ? 'Unmute' : 'Mute'}>
        <button
          type="button"
          aria-label="Mute"
          aria-pressed={isMuted}
          onClick={() => setMuted(!isMuted)}
          className="grid size-12 shrink-0 place-items-center text-muted hover:text-ivory"
        >
          {isSilent ? <VolumeX size={22} aria-hidden /> : <Volume2 size={22} aria-hidden />}
        </button>
      </Tooltip>
      <Range
        label="Volume"
        value={volume}
        valueText={`${Math.round(volume * 100)}%`}
        max={1}
        step={0.05}
        onValueChange={setVolume}
        className={className}
      />
    </>
  )
}
