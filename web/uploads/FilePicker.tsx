import { type ReactNode, useId } from 'react'
import { buttonClass } from '../ui/Button'

type Props = {
  /** What the button says: 'Choose a picture'. */
  children: ReactNode
  /** What it is for, for who does not see where it stands. */
  label: string
  accept: string
  describedBy?: string
  onPick: (file: File) => void
}

/** The platform's own choice of a file behind a button of ours: reached by Tab, opened by Space. */
export function FilePicker({ children, label, accept, describedBy, onPick }: Props) {
  const id = useId()
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
          // The same file can be chosen again after it failed.
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
