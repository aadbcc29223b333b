/** Includes all parts that home.css and concerts.css skip while they are far from the viewport. */
const DEFERRABLE_PARTS = '.trailer > section, .show-calendar, .footer'
/** A device that takes longer for the footer is slow. */
const SLOW_LAYOUT_MS = 28
/** For browsers without requestIdleCallback. */
const IDLE_FALLBACK_MS = 200

/** From here on, no part is skipped, on any page. */
const layOutAll = () => document.documentElement.classList.add('full-layout')

/**
 * Has the browser lay out the skipped parts in idle time, one by one from the end. Afterwards all heights are exact. A
 * slow device stops after the first part and renders each other part once it is near the viewport.
 */
export async function layOutWhenIdle(): Promise<void> {
  const [last, ...others] = [...document.querySelectorAll<HTMLElement>(DEFERRABLE_PARTS)].reverse()
  if (!last) return
  await idlePeriod()
  const startedAt = performance.now()
  last.style.contentVisibility = 'visible'
  last.getBoundingClientRect()
  if (performance.now() - startedAt > SLOW_LAYOUT_MS) return
  for (const part of others) {
    await idlePeriod()
    part.style.contentVisibility = 'visible'
  }
  layOutAll()
}

const idlePeriod = () =>
  new Promise<void>((resolve) => {
    globalThis.requestIdleCallback?.(() => resolve()) ?? setTimeout(resolve, IDLE_FALLBACK_MS)
  })

/**
 * Has the browser lay out the skipped parts before a jump, which would otherwise aim at estimated heights: at the first
 * click on a link to a section or history navigation; at once if the page opens at a section or at a restored position.
 */
export function layOutBeforeJumps(): void {
  const waiting = new AbortController()
  const layOut = () => {
    waiting.abort()
    layOutAll()
  }
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  if (location.hash || (navigation as PerformanceNavigationTiming | undefined)?.type !== 'navigate') {
    layOut()
    return
  }
  addEventListener('popstate', layOut, { signal: waiting.signal })
  const layOutForSectionLink = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a[href*="#"]')) layOut()
  }
  addEventListener('click', layOutForSectionLink, { capture: true, signal: waiting.signal })
}
