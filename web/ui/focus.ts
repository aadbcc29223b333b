import { type RefObject, useEffect, useRef } from 'react'

/** A `ref` that focuses an element which replaces the pressed control. Elements other than controls need a tabIndex. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()

/**
 * For an element with a button that removes the element, and the focus with it. Set `isLeaving` on the press; once the
 * element of `ref` is removed, focus moves to the nearest focusable ancestor.
 */
export function useRestoreFocus<E extends HTMLElement>(): { ref: RefObject<E | null>; isLeaving: RefObject<boolean> } {
  const ref = useRef<E>(null)
  const isLeaving = useRef(false)
  useEffect(() => {
    const ancestor = ref.current?.parentElement?.closest<HTMLElement>('[tabindex]')
    return () => {
      // Deferred, because a closing dialog still tries to focus the removed button.
      if (isLeaving.current) setTimeout(() => ancestor?.focus({ preventScroll: true }))
    }
  }, [])
  return { ref, isLeaving }
}

/** The element and its focusable ancestors, to which focus can return. */
export function focusTargets(element: Element | null): HTMLElement[] {
  const targets: HTMLElement[] = element instanceof HTMLElement && element !== document.body ? [element] : []
  let ancestor = element?.parentElement?.closest<HTMLElement>('[tabindex]')
  while (ancestor) {
    targets.push(ancestor)
    ancestor = ancestor.parentElement?.closest<HTMLElement>('[tabindex]')
  }
  return targets
}

/**
 * Focuses the first target that is still on the page and enabled; scrolls only if the page has moved it out of sight.
 */
export function focusFirst(targets: readonly (HTMLElement | null | undefined)[]): void {
  const target = targets.find((candidate) => candidate?.isConnected && !candidate.matches(':disabled'))
  target?.focus({ preventScroll: true })
  const bounds = target?.getBoundingClientRect()
  if (bounds && (bounds.bottom < 0 || bounds.top > innerHeight))
    target?.scrollIntoView({ block: 'start', behavior: 'instant' })
}

/** Scrolls a horizontal list to its focused control, which browsers may leave partly hidden. */
export const revealFocused = ({ target }: { target: EventTarget & Element }): void =>
  target.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
