import { type RefObject, useEffect, useRef } from 'react'

/** `ref` of an element that replaces the pressed one. Needs `tabIndex={-1}` on elements that are not controls. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/**
 * For an element that a press inside removes, which would move focus to the top of the page. Set `isLeaving` on the press;
 * once the element of `ref` is removed, focus moves to the nearest focusable ancestor.
 */
export function useRestoreFocus<E extends HTMLElement>(): { ref: RefObject<E | null>; isLeaving: RefObject<boolean> } {
  const ref = useRef<E>(null)
  const isLeaving = useRef(false)
  useEffect(() => {
    const ancestor = ref.current?.parentElement?.closest<HTMLElement>('[tabindex]')
    return () => {
      // After a closing dialog has returned focus to the removed button.
      if (isLeaving.current) setTimeout(() => ancestor?.focus({ preventScroll: true }))
    }
  }, [])
  return { ref, isLeaving }
}
