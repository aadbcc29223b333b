import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * A page that is opened at a section (`/#merch`) stands there once everything is fetched: what arrives above it has
 * pushed it away by then. So does one that a link leads through to a section where something is fetched on the way
 * (the hub is, when it comes near). A reader who has begun to scroll meanwhile is left alone.
 */
export function useSectionOnLoad(): void {
  const queries = useQueryClient()
  const fetching = useIsFetching() > 0
  const entry = useRouterState({ select: (state) => state.location.state.__TSR_key })
  const first = useRef(entry)
  const began = useRef(false)
  const settled = useRef(false)

  useEffect(() => {
    const settle = () => {
      settled.current = true
    }
    const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
    for (const sign of signs) addEventListener(sign, settle, { passive: true })
    return () => {
      for (const sign of signs) removeEventListener(sign, settle)
    }
  }, [])
  useEffect(() => {
    if (entry === first.current) return
    settled.current = false
    // Where nothing is being fetched by then, the reader is where they wanted to be.
    afterDrawing(() => {
      settled.current ||= queries.isFetching() === 0
    })
  }, [entry, queries])
  useEffect(() => {
    began.current ||= fetching
    if (fetching || !began.current || settled.current) return
    const led = entry !== first.current
    const stand = () => {
      // What was drawn may ask for more: a supporter's own part does. Then its answers are waited for as well.
      if (settled.current || queries.isFetching() > 0) return
      settled.current = true
      // Read now: by the time of drawing the reader may have been led elsewhere.
      const section = document.getElementById(decodeURIComponent(location.hash.slice(1)))
      section?.scrollIntoView({ behavior: led ? 'auto' : 'instant' })
      // What kept the section's place may have had the focus, and have taken it along.
      if (led && document.activeElement === document.body) section?.focus({ preventScroll: true })
    }
    if (location.hash) afterDrawing(stand)
  }, [fetching, entry, queries])
}

/** The last answer is drawn in a frame of its own. */
const afterDrawing = (then: () => void) => requestAnimationFrame(() => requestAnimationFrame(then))
