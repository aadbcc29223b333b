import { clsx } from 'clsx'
import { type ReactNode, useId, useState } from 'react'
import { FilePicker } from './FilePicker'
import { IMAGE_CROPS, type ImageCropName } from './image-crops'
import { UploadProgress } from './UploadProgress'
import { uploadImage } from './upload-image'
import { useUpload } from './useUpload'

const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

type Props = {
  label: string
  /** The address of the picture that stands there; empty for none. */
  value: string
  onChange: (url: string) => void
  cropName: ImageCropName
  hint?: ReactNode
  error?: string
  /** Told when a file begins and ceases to leave, so that nobody saves in between. */
  onBusy?: (busy: boolean) => void
  className?: string
}

/** A picture and the way to another: chosen or dropped, cut to its shape and sent in all its sizes. */
export function ImageField({ label, value, onChange, cropName, hint, error, onBusy, className }: Props) {
  const id = useId()
  const [isDragOver, setDragOver] = useState(false)
  const crop = IMAGE_CROPS[cropName]
  const { share, problem, start, stop } = useUpload(
    (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) =>
      uploadImage(file, { crop, ...options }),
    { onSent: ({ url }) => onChange(url), onBusy },
  )
  const errorText = problem ?? error
  return (
    <fieldset className={className} aria-describedby={errorText ? `${id}-error` : undefined}>
      <legend className="font-label text-muted">{label}</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button within does the same. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setDragOver(true)
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDragOver(false)
          const [file] = event.dataTransfer.files
          if (file) void start(file)
        }}
        className={clsx(
          'mt-2 flex items-center gap-5 border p-4 max-sm:flex-col max-sm:items-start',
          isDragOver ? 'border-gold bg-sleeve-high' : errorText ? 'border-sunset' : 'border-rule',
        )}
      >
        <div
          className="flex h-28 shrink-0 items-center justify-center bg-sleeve-high"
          style={{ aspectRatio: `${crop.width} / ${crop.height}`, maxWidth: '11rem' }}
        >
          {value ? (
            <img
              src={`${value}?w=320`}
              alt=""
              width={320}
              height={Math.round((320 * crop.height) / crop.width)}
              className="size-full object-cover"
            />
          ) : (
            <span className="text-xs text-muted">None yet</span>
          )}
        </div>
        <div className="min-w-0 flex-1">
          {share === null ? (
            <FilePicker label={`${label}: choose a picture`} accept={IMAGE_TYPES} onPick={(file) => void start(file)}>
              {value ? 'Replace' : 'Choose a picture'}
            </FilePicker>
          ) : (
            <UploadProgress label={label} share={share} onStop={stop} />
          )}
          <p className="mt-3 text-sm text-muted">
            {hint ?? `Cut to ${crop.width} by ${crop.height} pixels around its middle.`}
          </p>
        </div>
      </div>
      {errorText && (
        <p id={`${id}-error`} role="alert" className="mt-2 text-sm text-sunset">
          {errorText}
        </p>
      )}
    </fieldset>
  )
}
