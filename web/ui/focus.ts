import { type RefObject, useEffect, useRef } from 'react'

/** `ref` of an element that replaces the pressed one. Needs `tabIndex={-1}` on elements that are not controls. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/**
 * For an element that a press inside removes, which would move focus to the top of the page. Set `goes` on the press;
 * after the removal of `own`, focus moves to the nearest focusable ancestor.
 */
export function useRestoreFocus<E extends HTMLElement>(): { own: RefObject<E | null>; goes: RefObject<boolean> } {
  const own = useRef<E>(null)
  const goes = useRef(false)
  useEffect(() => {
    const around = own.current?.parentElement?.closest<HTMLElement>('[tabindex]')
    return () => {
      // After a closing dialog has returned focus to the removed button.
      if (goes.current) setTimeout(() => around?.focus({ preventScroll: true }))
    }
  }, [])
  return { own, goes }
}
