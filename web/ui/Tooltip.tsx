import { cloneElement, type ReactElement, useEffect, useId, useRef, useState } from 'react'

/** Specification section 9: a tip opens after 700 ms, and at once when another one closed less than 300 ms ago. */
export const TOOLTIP_DELAY_MS = 700
export const TOOLTIP_SKIP_DELAY_MS = 300

/** When the last tip of the page closed, in epoch milliseconds: moving along a row of icons asks for patience once. */
let lastClosed = 0

type Props = {
  label: string
  /** One control that can be described. */
  children: ReactElement<{ 'aria-describedby'?: string }>
}

/**
 * A word or two beside a control: on hover after the delay, on keyboard focus at once; Escape and pressing close it.
 * Sixty lines of our own, because the library's one is a third of what the first load may weigh.
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
    if (open) lastClosed = Date.now()
    setOpen(false)
  }
  const enter = () => {
    clearTimeout(timer.current)
    if (Date.now() - lastClosed < TOOLTIP_SKIP_DELAY_MS) show()
    else timer.current = setTimeout(show, TOOLTIP_DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      lastClosed = Date.now()
      setOpen(false)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the frame only watches; the control inside is what is used.
    <span
      className="relative inline-flex"
      onPointerEnter={(event) => event.pointerType !== 'touch' && enter()}
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
