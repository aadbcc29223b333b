import { Button } from '../ui/Button'

/** How far a file is, in a bar and in words, and the way to break it off. */
export function UploadProgress({ label, share, onStop }: { label: string; share: number; onStop: () => void }) {
  const percent = Math.round(share * 100)
  return (
    <div className="flex items-center gap-4">
      <progress className="sending-bar flex-1" aria-label={`Sending: ${label}`} value={percent} max={100} />
      <span className="figures text-sm" aria-hidden="true">
        {percent}%
      </span>
      <Button variant="quiet" onClick={onStop}>
        Cancel
      </Button>
    </div>
  )
}
