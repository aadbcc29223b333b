import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * True from when `place` comes within a window's height of what is seen, or an address or a link leads to its section
 * or to something after it. Never false again.
 */
export function useNear(place: HTMLElement | null): boolean {
  const [near, setNear] = useState(false)
  const goal = useRouterState({ select: ({ location }) => location.hash })

  useEffect(() => {
    if (near || !place) return
    const leads = document.getElementById(goal)
    if (leads && isAtOrAfter(leads, place)) return setNear(true)
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: '100% 0px' },
    )
    watch.observe(place)
    return () => watch.disconnect()
  }, [near, place, goal])
  return near
}

/** The page's own landmarks hold every section and lead to none. */
function isAtOrAfter(goal: Element, place: Element): boolean {
  const section = place.closest('section')
  if (!section) return false
  return section.contains(goal) || Boolean(section.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_FOLLOWING)
}
