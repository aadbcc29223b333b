import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Scrolls to the section of the URL's hash (`/#merch`) again once all queries have settled, because content that loads
 * above it moves it. Stops as soon as the visitor scrolls, types or presses.
 */
export function useScrollToHash(): void {
  const queryClient = useQueryClient()
  const fetching = useIsFetching() > 0
  const entry = useRouterState({ select: (state) => state.location.state.__TSR_key })
  const initialEntry = useRef(entry)
  const hasFetched = useRef(false)
  const isDone = useRef(false)

  useEffect(() => {
    const stopFollowing = () => {
      isDone.current = true
    }
    const userEvents = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
    for (const name of userEvents) addEventListener(name, stopFollowing, { passive: true })
    return () => {
      for (const name of userEvents) removeEventListener(name, stopFollowing)
    }
  }, [])
  useEffect(() => {
    if (entry === initialEntry.current) return
    isDone.current = false
    // If nothing is being fetched, the page is complete.
    afterNextPaint(() => {
      isDone.current ||= queryClient.isFetching() === 0
    })
  }, [entry, queryClient])
  useEffect(() => {
    hasFetched.current ||= fetching
    if (fetching || !hasFetched.current || isDone.current) return
    const isNavigation = entry !== initialEntry.current
    const scrollToSection = () => {
      // A component that has just rendered may have started another fetch.
      if (isDone.current || queryClient.isFetching() > 0) return
      isDone.current = true
      // Read here, because the hash may have changed before the paint.
      const section = document.getElementById(sectionIdOf(location.hash))
      section?.scrollIntoView({ behavior: isNavigation ? 'auto' : 'instant' })
      // The focused element, such as a placeholder or a link of the menu, may have been removed.
      if (document.activeElement === document.body) section?.focus({ preventScroll: true })
    }
    if (location.hash) afterNextPaint(scrollToSection)
  }, [fetching, entry, queryClient])
}

const afterNextPaint = (callback: () => void) => requestAnimationFrame(() => requestAnimationFrame(callback))

/** The id that a hash names; a malformed hash names none. */
function sectionIdOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ''
  }
}
