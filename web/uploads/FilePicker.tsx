import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../api/call'
import { Button, buttonClass } from '../ui/Button'
import { UploadError } from './upload-error'

type FilePickerProps = {
  /** Such as 'Choose a picture'. */
  children: ReactNode
  /** Accessible name of the input. */
  label: string
  accept: string
  describedBy?: string
  /** Id of the input, so that a button elsewhere can open it. */
  id?: string
  onPick: (file: File) => void
}

/** A native file input styled as a button. */
export function FilePicker({ children, label, accept, describedBy, id: customId, onPick }: FilePickerProps) {
  const defaultId = useId()
  const id = customId ?? defaultId
  return (
    <span className="inline-flex">
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        aria-describedby={describedBy}
        className="peer sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onPick(file)
          // Lets the user choose the same file again after a failure.
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'outline',
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4 peer-focus-visible:outline-gold-bright',
        )}
      >
        {children}
      </label>
    </span>
  )
}

export function UploadProgress({ label, progress, onStop }: { label: string; progress: number; onStop: () => void }) {
  const percent = Math.round(progress * 100)
  return (
    <div className="flex items-center gap-4">
      <progress
        className="progress-bar flex-1 border border-rule-strong bg-background"
        aria-label={`Sending: ${label}`}
        value={percent}
        max={100}
      />
      <span className="tabular-figures text-sm" aria-hidden="true">
        {percent}%
      </span>
      <Button variant="text" onClick={onStop}>
        Cancel
      </Button>
    </div>
  )
}

type UploadFile<Input, Result> = (
  input: Input,
  options: { onProgress: (progress: number) => void; signal: AbortSignal },
) => Promise<Result>

/** Uploads one input, such as a file, at a time. `progress` is from 0 to 1, null while idle. */
export function useUpload<Input, Result>(
  send: UploadFile<Input, Result>,
  {
    onUploaded,
    onUploadingChange,
  }: { onUploaded: (result: Result, input: Input) => void; onUploadingChange?: (isUploading: boolean) => void },
) {
  const [progress, setProgress] = useState<number | null>(null)
  const [uploadError, setUploadError] = useState<string>()
  const controller = useRef<AbortController>(null)
  useEffect(() => () => controller.current?.abort(), [])

  async function start(input: Input): Promise<void> {
    if (controller.current) controller.current.abort()
    else onUploadingChange?.(true)
    const current = new AbortController()
    controller.current = current
    setUploadError(undefined)
    setProgress(0)
    try {
      const result = await send(input, { signal: current.signal, onProgress: setProgress })
      if (!current.signal.aborted) onUploaded(result, input)
    } catch (error) {
      if (!current.signal.aborted) setUploadError(uploadErrorText(error))
    } finally {
      if (controller.current === current) {
        controller.current = null
        setProgress(null)
        onUploadingChange?.(false)
      }
    }
  }
  return { progress, uploadError, start, stop: () => controller.current?.abort() }
}

function uploadErrorText(error: unknown): string {
  if (error instanceof ApiError) return errorMessage(error)
  if (error instanceof DOMException) return 'This browser cannot read that picture. Please choose a JPEG, PNG or WebP.'
  if (error instanceof UploadError) return error.message
  return 'The upload failed. Please try again.'
}
