import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Copy, Share2 } from 'lucide-react'
import { useId, useState } from 'react'
import { releasesApi } from '../../worker/contract/releases'
import { call } from '../api/call'
import { formatDuration } from '../lib/format'
import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { toast } from '../ui/toast'
import { parseTimestamp, urlAtTime } from './start-time'

type SharedTrack = {
  title: string
  artist: string
  /** Path of the track's page. */
  path: string
  durationSeconds: number
  /** For the paid tiers only; embeds cannot play it. */
  isExclusive: boolean
}

type Props = {
  track: SharedTrack
  /** Position to suggest as the start, in seconds. */
  timeSeconds: number
}

/** A dialog with the track's link, optionally with a start time, and its embed code. */
export function ShareSheet({ onClose, ...props }: Props & { onClose: () => void }) {
  return (
    <Dialog title={`Share ${props.track.title}`} onClose={onClose}>
      <ShareOptions {...props} />
    </Dialog>
  )
}

/** The contents of the share sheet. */
export function ShareOptions({ track, timeSeconds }: Props) {
  const [hasStartTime, setHasStartTime] = useState(false)
  const [startTime, setStartTime] = useState(formatDuration(timeSeconds))
  const errorId = useId()
  const startSeconds = parseTimestamp(startTime, track.durationSeconds)
  const url = urlAtTime(track.path, hasStartTime ? startSeconds : null)
  const hasError = hasStartTime && startSeconds === null
  const name = `${track.title} by ${track.artist}`
  return (
    <div className="p-6 md:p-9">
      <h2 className="mr-10 font-display text-xl">Share</h2>
      <p className="mt-2 text-muted">{name}</p>
      <div className="mt-6 flex items-center gap-3">
        <label className="flex min-h-12 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-(--color-gold)"
            checked={hasStartTime}
            onChange={(event) => setHasStartTime(event.target.checked)}
          />
          Start at
        </label>
        <input
          aria-label="Start time"
          inputMode="numeric"
          autoComplete="off"
          value={startTime}
          onChange={(event) => {
            setStartTime(event.target.value)
            setHasStartTime(true)
          }}
          aria-invalid={hasError}
          aria-describedby={errorId}
          className="tabular-figures min-h-12 w-24 border border-rule-strong bg-transparent px-4 aria-invalid:border-sunset"
        />
      </div>
      <p id={errorId} role="alert" className="text-sm text-sunset">
        {hasError && `Enter a time like 1:23, up to ${formatDuration(track.durationSeconds - 1)}.`}
      </p>
      <CopyField label="Link" text={url} copied="Link copied" isDisabled={hasError} />
      {'share' in navigator && (
        <Button
          variant="primary"
          className="mt-3 w-full"
          aria-disabled={hasError}
          onClick={() => hasError || void shareNatively({ title: name, url })}
        >
          <Share2 size={20} aria-hidden />
          Share with an app
        </Button>
      )}
      {!track.isExclusive && <EmbedCode url={hasError ? location.origin + track.path : url} />}
    </div>
  )
}

function EmbedCode({ url }: { url: string }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['oembed', url],
    queryFn: () => call(releasesApi.oembed, {}, { search: `?url=${encodeURIComponent(url)}` }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label="Embed" className="mt-8 border-t border-rule pt-6">
      <h3 className="font-display text-lg">Embed</h3>
      <p className="mt-2 text-muted">A small player for your own site.</p>
      {isError ? (
        <p role="alert" className="mt-4 flex flex-wrap items-center gap-x-4">
          The code could not be loaded.
          <Button variant="text" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <CopyField label="Embed code" text={data?.html ?? ''} copied="Embed code copied" isDisabled={!data} />
      )}
    </section>
  )
}

type CopyFieldProps = { label: string; text: string; copied: string; isDisabled: boolean }

function CopyField({ label, text, copied, isDisabled }: CopyFieldProps) {
  const id = useId()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ title: copied }),
      () => toast({ title: 'Copy failed', text: 'Select the text and copy it.', tone: 'destructive' }),
    )
  return (
    <div className="mt-4">
      <label htmlFor={id} className="mb-1 block text-sm text-muted">
        {label}
      </label>
      <div className="flex border border-rule-strong focus-within:border-gold">
        <input
          id={id}
          readOnly
          value={text}
          onFocus={(event) => event.target.select()}
          className="min-h-12 min-w-0 grow bg-transparent px-4 text-ellipsis"
        />
        <button
          type="button"
          aria-disabled={isDisabled}
          onClick={() => isDisabled || void copy()}
          className="flex min-h-12 shrink-0 items-center gap-2 border-l border-rule-strong px-4 font-label hover:text-gold-bright aria-disabled:opacity-60"
        >
          <Copy size={18} aria-hidden />
          Copy <span className="sr-only">{label.toLowerCase()}</span>
        </button>
      </div>
    </div>
  )
}

async function shareNatively(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch (error) {
    // The visitor closed the device's sheet.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ title: 'Not shared', text: 'Copy the link instead.', tone: 'destructive' })
  }
}
