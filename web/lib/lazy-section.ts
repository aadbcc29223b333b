import { queryOptions } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * A section's code as a query: a failed import can be retried, and scrolling to a hash waits for the code. Login and
 * logout do not clear keys under 'config'.
 */
export const sectionModule = <Module>(key: string, load: () => Promise<Module>) =>
  queryOptions({ queryKey: ['config', key], queryFn: load, structuralSharing: false })

/**
 * Retries a failed import. Browsers may cache the failure until a reload, so the page reloads if the import fails again
 * while the site is up.
 */
export async function retryImport(refetch: () => Promise<{ isError: boolean }>): Promise<void> {
  const { isError } = await refetch()
  if (!isError) return
  const response = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (response?.ok) location.reload()
}

/**
 * True once the element is within a viewport's height of the viewport, or the URL's hash names its section or a later
 * element. Never becomes false again.
 */
export function useNearViewport(element: HTMLElement | null): boolean {
  const [isNear, setIsNear] = useState(false)
  const hash = useRouterState({ select: ({ location }) => location.hash })

  useEffect(() => {
    if (isNear || !element) return
    const target = document.getElementById(hash)
    if (target && isAtOrAfter(target, element)) return setIsNear(true)
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: '100% 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [isNear, element, hash])
  return isNear
}

/** Whether `target` is in the element's section or after it; false if it contains the section, as `main` does. */
function isAtOrAfter(target: Element, element: Element): boolean {
  const section = element.closest('section')
  if (!section) return false
  return section.contains(target) || Boolean(section.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING)
}
