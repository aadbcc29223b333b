import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'

type Props = {
  title: string
  description?: string
  onClose: () => void
  children: ReactNode
}

/**
 * An open dialog; import it lazily. Not with Radix's overlay, which inserts style elements that the content security
 * policy blocks; index.css locks scrolling instead.
 */
export function Dialog({ title, description, onClose, children }: Props) {
  const opener = useRef<Element>(null)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="scrim" />
        <Radix.Content
          className="dialog"
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          // Radix returns focus only to its own trigger, which is not used here.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          {...(!description && { 'aria-describedby': undefined })}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {description && <Radix.Description className="sr-only">{description}</Radix.Description>}
          {children}
          <Radix.Close aria-label="Close" className="dialog-close">
            <X size={20} aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
