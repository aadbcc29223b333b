import { useEffect, useState } from 'react'
import { activeSection } from './sections'

/** The section that the reader has reached, followed as the page scrolls; null above the first one. */
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
    update()
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
