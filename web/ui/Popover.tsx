import { clsx } from 'clsx'
import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

type Props = {
  /** Accessible name of the panel. */
  label: string
  /** The button that opens the panel. */
  trigger: ReactNode
  className?: string
  children: ReactNode
}

/** A small panel beside the button that opens it. Escape or a press outside closes it. */
export function Popover({ label, trigger, className, children }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={6}
          collisionPadding={12}
          className={clsx(
            'z-40 max-h-[70vh] w-72 max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-xs border border-rule-strong bg-sleeve-high p-4 shadow-[0_12px_40px_oklch(0_0_0/0.6)] outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Wraps a button that also closes the popover. */
export const PopoverClose = Radix.Close
