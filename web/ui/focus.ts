import { type RefObject, useEffect, useRef } from 'react'

/** A `ref` that focuses an element which replaces the pressed one; elements that are not controls need a tabIndex. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/**
 * For an element that a button inside removes, which would lose the focus. Set `isLeaving` on the press; once the
 * element of `ref` is removed, focus moves to the nearest focusable ancestor.
 */
export function useRestoreFocus<E extends HTMLElement>(): { ref: RefObject<E | null>; isLeaving: RefObject<boolean> } {
  const ref = useRef<E>(null)
  const isLeaving = useRef(false)
  useEffect(() => {
    const ancestor = ref.current?.parentElement?.closest<HTMLElement>('[tabindex]')
    return () => {
      // Waits until a closing dialog has returned focus to the removed button.
      if (isLeaving.current) setTimeout(() => ancestor?.focus({ preventScroll: true }))
    }
  }, [])
  return { ref, isLeaving }
}
