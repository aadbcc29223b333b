import { type RefObject, useEffect, useRef } from 'react'

/**
 * As `ref` of what takes the place of what was pressed: the focus goes there, so that a keyboard goes on from it and a
 * screen reader says it. Needs `tabIndex={-1}` where nothing can be pressed.
 */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/**
 * For what a press inside of it takes off the page: the focus would fall back to the page's beginning. `goes` is set with
 * the press, and once `own` is gone the focus is on the nearest thing around it that takes it.
 */
export function useRestoreFocus<E extends HTMLElement>(): { own: RefObject<E | null>; goes: RefObject<boolean> } {
  const own = useRef<E>(null)
  const goes = useRef(false)
  useEffect(() => {
    const around = own.current?.parentElement?.closest<HTMLElement>('[tabindex]')
    return () => {
      // After a dialog that went with it has given the focus back to the button that is gone.
      if (goes.current) setTimeout(() => around?.focus({ preventScroll: true }))
    }
  }, [])
  return { own, goes }
}
