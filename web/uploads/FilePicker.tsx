import { type ReactNode, useId } from 'react'
import { Button, buttonClass } from '../ui/Button'

type FilePickerProps = {
  /** Content of the button, such as 'Choose a picture'. */
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

/** A progress bar with a Cancel button. `progress` is from 0 to 1. */
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
