import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & {
  /** Id of the section on the home page. */
  section: string
}

/** Links to a section of the home page from any page, and moves focus there. */
export function SectionLink({ section, onClick, ...rest }: Props) {
  const router = useRouter()
  const navigate = async (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // On other pages, content that loads late would move the target of a smooth scroll.
    const behavior = router.state.location.pathname === '/' ? 'auto' : 'instant'
    await router.navigate({ to: '/', hash: section, hashScrollIntoView: false, resetScroll: false })
    // Wait for the home page to be rendered.
    requestAnimationFrame(() => scrollToSection(section, behavior))
  }
  // The router's own links preload on the same events.
  const preload = () => {
    if (router.options.defaultPreload && router.state.location.pathname !== '/') void router.preloadRoute({ to: '/' })
  }
  return (
    <a
      href={`/#${section}`}
      onClick={navigate}
      onMouseEnter={preload}
      onFocus={preload}
      onTouchStart={preload}
      {...rest}
    />
  )
}

/** Scrolls to a section and focuses it; sections have tabIndex -1. */
function scrollToSection(id: string, behavior: ScrollBehavior = 'auto'): void {
  const section = document.getElementById(id)
  section?.scrollIntoView({ behavior })
  section?.focus({ preventScroll: true })
}
