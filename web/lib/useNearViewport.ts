import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * True from when `place` comes within a window's height of what is seen, or an address or a link leads to its section
 * or to something after it. Never false again.
 */
export function useNearViewport(place: HTMLElement | null): boolean {
  const [near, setNear] = useState(false)
  const goal = useRouterState({ select: ({ location }) => location.hash })

  useEffect(() => {
    if (near || !place) return
    const target = document.getElementById(goal)
    if (target && isAtOrAfter(target, place)) return setNear(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100% 0px' },
    )
    observer.observe(place)
    return () => observer.disconnect()
  }, [near, place, goal])
  return near
}

/** The page's own landmarks hold every section and lead to none. */
function isAtOrAfter(targetHash: Element, place: Element): boolean {
  const section = place.closest('section')
  if (!section) return false
  return (
    section.contains(targetHash) ||
    Boolean(section.compareDocumentPosition(targetHash) & Node.DOCUMENT_POSITION_FOLLOWING)
  )
}
