import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Scrolls to the section of the URL's hash (`/#merch`) again once all queries have settled, because content that loads
 * above a section moves it. Stops as soon as the visitor scrolls, types or taps.
 */
export function useScrollToHash(): void {
  const queryClient = useQueryClient()
  const isFetching = useIsFetching() > 0
  const historyKey = useRouterState({ select: (state) => state.location.state.__TSR_key })
  const initialHistoryKey = useRef(historyKey)
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
    if (historyKey === initialHistoryKey.current) return
    isDone.current = false
    // If nothing is being fetched, the page is complete.
    afterNextPaint(() => {
      isDone.current ||= queryClient.isFetching() === 0
    })
  }, [historyKey, queryClient])
  useEffect(() => {
    hasFetched.current ||= isFetching
    if (isFetching || !hasFetched.current || isDone.current) return
    const isNavigation = historyKey !== initialHistoryKey.current
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
  }, [isFetching, historyKey, queryClient])
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
