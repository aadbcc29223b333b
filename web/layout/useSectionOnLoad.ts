import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/**
 * A page that is opened at a section (`/#merch`) stands there once everything is fetched: what arrives above it has
 * pushed it away by then. A reader who has begun to scroll meanwhile is left alone.
 */
export function useSectionOnLoad(): void {
  const queries = useQueryClient()
  const fetching = useIsFetching() > 0
  const began = useRef(false)
  const settled = useRef(false)

  useEffect(() => {
    const settle = () => {
      settled.current = true
    }
    const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
    for (const sign of signs) addEventListener(sign, settle, { once: true, passive: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, settle)
    }
  }, [])
  useEffect(() => {
    began.current ||= fetching
    if (fetching || !began.current || settled.current) return
    const id = decodeURIComponent(location.hash.slice(1))
    const stand = () => {
      // What was drawn may ask for more: a supporter's own part does. Then its answers are waited for as well.
      if (settled.current || queries.isFetching() > 0) return
      settled.current = true
      document.getElementById(id)?.scrollIntoView({ behavior: 'instant' })
    }
    // The last answer is drawn in a frame of its own.
    if (id) requestAnimationFrame(() => requestAnimationFrame(stand))
  }, [fetching, queries])
}
