import { type ReactNode, useRef } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'

type Props = {
  /** Question that names the subject: 'Remove ada from the team?' */
  title: string
  /** The consequences. */
  children: ReactNode
  /** Label of the confirming button. */
  confirmLabel: string
  pending?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks to confirm an action. Focus starts on `Cancel`, so that Enter does not confirm by accident. */
export function ConfirmDialog({ title, children, confirmLabel, pending = false, onConfirm, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  return (
    <Dialog title={title} onClose={onClose} findInitialFocus={() => cancel.current}>
      <div className="p-6 md:p-9">
        <h2 className="mr-10 font-display text-xl wrap-anywhere">{title}</h2>
        <div className="mt-4 grid max-w-prose gap-4 text-muted">{children}</div>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button variant="primary" onClick={() => pending || onConfirm()} aria-disabled={pending}>
            {pending ? 'One moment' : confirmLabel}
          </Button>
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
