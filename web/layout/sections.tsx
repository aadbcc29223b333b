import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { useEffect, useState } from 'react'

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
