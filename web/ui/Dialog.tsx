import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { focusFirst, focusTargets } from './focus'

type Props = {
  title: string
  description?: string
  onClose: () => void
  className?: string
  /** Finds the element to focus on close if the control that opened the dialog was removed. */
  findReturnTarget?: () => HTMLElement | null | undefined
  /** Finds the element to focus on open; by default the first control. */
  findInitialFocus?: () => HTMLElement | null
  children: ReactNode
}

/**
 * An open dialog; import it lazily. Does not use Radix's overlay, which inserts style elements that the content
 * security policy blocks; index.css locks scrolling instead.
 */
export function Dialog({
  title,
  description,
  onClose,
  className,
  findReturnTarget,
  findInitialFocus,
  children,
}: Props) {
  const returnTargets = useRef<HTMLElement[]>([])
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <div className="scrim" />
        <Radix.Content
          className={clsx('dialog', className)}
          onOpenAutoFocus={(event) => {
            returnTargets.current = focusTargets(document.activeElement)
            const target = findInitialFocus?.()
            if (!target) return
            event.preventDefault()
            target.focus()
          }}
          // Radix returns focus only to its own trigger, which is not used here.
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            const [opener, ...ancestors] = returnTargets.current
            focusFirst([opener, findReturnTarget?.(), ...ancestors])
          }}
          // Radix handles Escape only in the layer that opened last. If a toast did, this handler closes the dialog.
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.defaultPrevented) return
            event.preventDefault()
            onClose()
          }}
          {...(!description && { 'aria-describedby': undefined })}
        >
          {/* The dialog's accessible name; the content has the visible heading. */}
          <Radix.Title hidden>{title}</Radix.Title>
          {description && <Radix.Description hidden>{description}</Radix.Description>}
          {children}
          <Radix.Close aria-label="Close" className="dialog-close">
            <X size={20} aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
