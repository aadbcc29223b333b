import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  /** The section's anchor on the home page, without '#'. */
  section: string
}

/**
 * A link to a section of the home page, from any screen. It is a real address; a plain click goes there without
 * loading the page again, scrolls, and moves keyboard focus along, so that the next Tab lands inside the section.
 */
export function SectionLink({ section, onClick, ...rest }: Props) {
  const router = useRouter()
  const go = async (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // On a screen that is swapped in there is nothing to glide past, and what arrives late would move the goal.
    const behavior = router.state.location.pathname === '/' ? 'auto' : 'instant'
    await router.navigate({ to: '/', hash: section, hashScrollIntoView: false, resetScroll: false })
    // A screen that has just been swapped in is on the page by the next frame.
    requestAnimationFrame(() => scrollToSection(section, behavior))
  }
  return <a href={`/#${section}`} onClick={go} {...rest} />
}

/** Scrolls to an element of the page and focuses it. Sections carry tabIndex -1 for this. */
function scrollToSection(id: string, behavior: ScrollBehavior = 'auto'): void {
  const section = document.getElementById(id)
  section?.scrollIntoView({ behavior })
  section?.focus({ preventScroll: true })
}
