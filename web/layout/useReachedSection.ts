import { useEffect, useState } from 'react'
import { reachedSection } from './sections'

/** The section that the reader has reached, followed as the page scrolls; null above the first one. */
export function useReachedSection<Id extends string>(ids: readonly Id[]): Id | null {
  const [reached, setReached] = useState<Id | null>(null)
  const key = ids.join(' ')
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const tops = (key.split(' ') as Id[]).flatMap((id) => {
        const section = document.getElementById(id)
        return section ? [{ id, top: section.getBoundingClientRect().top }] : []
      })
      setReached(reachedSection(tops))
    }
    const soon = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', soon, { passive: true })
    addEventListener('resize', soon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', soon)
      removeEventListener('resize', soon)
    }
  }, [key])
  return reached
}
