import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { FilePick } from './FilePick'
import { SendingBar } from './SendingBar'
import { sendPicture } from './send-picture'
import { SHAPES, type ShapeName } from './shapes'
import { useSending } from './useSending'

const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

type Props = {
  label: string
  /** The address of the picture that stands there; empty for none. */
  value: string
  onChange: (url: string) => void
  shape: ShapeName
  hint?: ReactNode
  error?: string
  /** Told when a file begins and ceases to leave, so that nobody saves in between. */
  onBusy?: (busy: boolean) => void
  className?: string
}

/** A picture and the way to another: chosen or dropped, cut to its shape and sent in all its sizes. */
export function PictureField({ label, value, onChange, shape, hint, error, onBusy, className }: Props) {
  const id = useId()
  const [over, setOver] = useState(false)
  const cut = SHAPES[shape]
  const { share, problem, start, stop } = useSending(
    (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) =>
      sendPicture(file, { shape: cut, ...options }),
    { onSent: ({ url }) => onChange(url), onBusy },
  )
  const wrong = problem ?? error
  return (
    <fieldset className={className} aria-describedby={wrong ? `${id}-error` : undefined}>
      <legend className="font-label text-muted">{label}</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button within does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const [file] = event.dataTransfer.files
          if (file) void start(file)
        }}
        className={clsx(
          'mt-2 flex items-center gap-5 border p-4 max-sm:flex-col max-sm:items-start',
          over ? 'border-gold bg-sleeve-high' : wrong ? 'border-sunset' : 'border-rule',
        )}
      >
        <div
          className="flex h-28 shrink-0 items-center justify-center bg-sleeve-high"
          style={{ aspectRatio: `${cut.width} / ${cut.height}`, maxWidth: '11rem' }}
        >
          {value ? (
            <img
              src={`${value}?w=320`}
              alt=""
              width={320}
              height={Math.round((320 * cut.height) / cut.width)}
              className="size-full object-cover"
            />
          ) : (
            <span className="text-xs text-muted">None yet</span>
          )}
        </div>
        <div className="min-w-0 flex-1">
          {share === null ? (
            <FilePick label={`${label}: choose a picture`} accept={PICTURES} onPick={(file) => void start(file)}>
              {value ? 'Replace' : 'Choose a picture'}
            </FilePick>
          ) : (
            <SendingBar label={label} share={share} onStop={stop} />
          )}
          <p className="mt-3 text-sm text-muted">
            {hint ?? `Cut to ${cut.width} by ${cut.height} pixels around its middle.`}
          </p>
        </div>
      </div>
      {wrong && (
        <p id={`${id}-error`} role="alert" className="mt-2 text-sm text-sunset">
          {wrong}
        </p>
      )}
    </fieldset>
  )
}
