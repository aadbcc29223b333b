import { useEffect, useState } from 'react'

/** A section becomes active this many pixels below the top of the window. */
export const ACTIVE_SECTION_OFFSET_PX = 200

/** The active section; null above the first. `top` is in pixels from the top of the window. */
export function activeSection<Id extends string>(tops: readonly { id: Id; top: number }[]): Id | null {
  return tops.filter(({ top }) => top <= ACTIVE_SECTION_OFFSET_PX).at(-1)?.id ?? null
}

/** The section that the visitor has scrolled to; null above the first. */
export function useActiveSection<Id extends string>(ids: readonly Id[]): Id | null {
  const [active, setActive] = useState<Id | null>(null)
  const key = ids.join(' ')
  useEffect(() => {
    let frame = 0
    const update = () => {
      frame = 0
      const tops = (key.split(' ') as Id[]).flatMap((id) => {
        const section = document.getElementById(id)
        return section ? [{ id, top: section.getBoundingClientRect().top }] : []
      })
      setActive(activeSection(tops))
    }
    const scheduleUpdate = () => {
      frame ||= requestAnimationFrame(update)
    }
    // Measuring now would force a layout; in the next frame it is computed anyway.
    scheduleUpdate()
    addEventListener('scroll', scheduleUpdate, { passive: true })
    addEventListener('resize', scheduleUpdate)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', scheduleUpdate)
      removeEventListener('resize', scheduleUpdate)
    }
  }, [key])
  return active
}
