import { useMe } from '../auth/auth.queries'
import { formatBytes, formatCountOf } from '../lib/format'
import { Button } from '../ui/Button'
import {
  clearOfflineTracks,
  MAX_OFFLINE_BYTES,
  type OfflineTracks,
  saveLikedTracks,
  totalBytes,
  useOfflineTracks,
} from './liked-tracks'
import { showAppStatus } from './offline-support'

/** Saves the supporter's liked tracks on this device, shows their size and clears them. */
export function OfflineSwitch() {
  const me = useMe()
  const offline = useOfflineTracks()
  if (!me || !('serviceWorker' in navigator && 'caches' in window)) return null
  const isOn = offline.userId !== null
  const save = () => {
    // Unless storage is persistent, the browser may delete the saved tracks when the device is full.
    void navigator.storage?.persist?.()
    void saveLikedTracks(me.id, me.tier)
    showAppStatus()
  }
  return (
    <div className="mt-8 max-w-3xl border border-rule p-5">
      <label className="flex min-h-12 cursor-pointer items-start gap-4">
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0 accent-(--color-gold)"
          checked={isOn}
          onChange={() => (isOn ? void clearOfflineTracks() : save())}
        />
        <span>
          Keep my liked tracks on this device
          <span className="block text-sm text-muted">
            They play without a connection. Up to {formatBytes(MAX_OFFLINE_BYTES)}; logging out removes them.
          </span>
        </span>
      </label>
      {isOn && (
        <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-rule pt-4">
          <p role="status" className="tabular-figures text-sm">
            {describeSavedTracks(offline)}
          </p>
          {offline.status === 'failed' && <Button onClick={save}>Try again</Button>}
          <Button onClick={() => void clearOfflineTracks()}>Clear</Button>
        </div>
      )}
    </div>
  )
}

function describeSavedTracks({ tracks, skipped, status }: OfflineTracks): string {
  const count = formatCountOf(tracks.length, 'track')
  const size = `${formatBytes(totalBytes(tracks))} of ${formatBytes(MAX_OFFLINE_BYTES)}`
  let problem = ''
  if (status === 'failed') problem = ' Some could not be saved.'
  else if (skipped > 0) problem = ` ${skipped} did not fit.`
  return `${status === 'saving' ? 'Saving: ' : ''}${count}, ${size}.${problem}`
}
