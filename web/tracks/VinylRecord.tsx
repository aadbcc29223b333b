import { clsx } from 'clsx'
import type { Track } from '../../worker/contract/tracks'
import { ResponsiveImage } from '../ui/ResponsiveImage'

/** The sleeve with its gold record, which slides out and turns while the music plays. */
export function VinylRecord({ track, turning, className }: { track: Track; turning: boolean; className?: string }) {
  return (
    <div className={clsx('record', turning && 'record-turning', className)}>
      <div className="record-disc" aria-hidden="true">
        <img src={`${track.coverUrl}?w=320`} alt="" width={320} height={320} loading="lazy" className="record-label" />
      </div>
      <ResponsiveImage
        src={track.coverUrl}
        alt={track.coverAlt}
        width={1200}
        height={1200}
        sizes="(width < 64rem) 64vw, 32rem"
        className="record-sleeve"
      />
    </div>
  )
}
