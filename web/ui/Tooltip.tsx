import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'

/** A tooltip opens after a delay, or without one if another closed less than the skip delay ago. */
export const TOOLTIP_DELAY_MS = 700
export const TOOLTIP_SKIP_DELAY_MS = 300

/** When the page's last tooltip closed, in epoch milliseconds. */
let lastClosedAt = 0

type Props = {
  label: string
  children: ReactElement<{ 'aria-describedby'?: string }>
}

/**
 * Opens on hover after the delay, on keyboard focus at once; closes on Escape or a press. Does not use Radix's tooltip:
 * its 22 KB (gzip) would make the initial bundle exceed its limit of 150 KB.
 */
export function Tooltip({ label, children }: Props) {
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()

  const show = () => {
    clearTimeout(timer.current)
    setOpen(true)
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (open) lastClosedAt = Date.now()
    setOpen(false)
  }
  const showAfterDelay = () => {
    clearTimeout(timer.current)
    if (Date.now() - lastClosedAt < TOOLTIP_SKIP_DELAY_MS) show()
    else timer.current = setTimeout(show, TOOLTIP_DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      lastClosedAt = Date.now()
      setOpen(false)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to events of the control inside.
    <span
      className="relative inline-flex"
      onPointerEnter={(event) => event.pointerType !== 'touch' && showAfterDelay()}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show()}
      onBlur={hide}
    >
      {cloneElement(children, { 'aria-describedby': open ? id : undefined })}
      {open && (
        <span
          id={id}
          role="tooltip"
          className="absolute bottom-full left-1/2 z-20 w-max max-w-56 -translate-x-1/2 border border-rule-strong bg-sleeve-high px-3 py-1.5 text-sm text-ivory"
        >
          {label}
        </span>
      )}
    </span>
  )
}
