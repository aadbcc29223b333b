import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

/**
 * A page that is opened at a section (`/#merch`) stands there once everything is fetched: what arrives above it has
 * pushed it away by then. A reader who has begun to scroll meanwhile is left alone.
 */
export function useSectionOnLoad(): void {
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
    settled.current = true
    const id = decodeURIComponent(location.hash.slice(1))
    const stand = () => document.getElementById(id)?.scrollIntoView({ behavior: 'instant' })
    // The last answer is drawn in a frame of its own.
    if (id) requestAnimationFrame(() => requestAnimationFrame(stand))
  }, [fetching])
}
