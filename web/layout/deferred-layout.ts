/** All elements to which the styles give `content-visibility: auto`. */
const DEFERRED_PARTS_SELECTOR = '.home-sections > section, .show-calendar, .long-text > section, .footer'
/** A device that takes longer to lay out the last part, usually the footer, is slow. */
const SLOW_LAYOUT_MS = 28
/** For browsers without requestIdleCallback. */
const IDLE_FALLBACK_MS = 200

/** Turns off `content-visibility: auto` on all pages. */
const layOutAll = () => document.documentElement.classList.add('full-layout')

/**
 * Has the browser lay out the deferred parts in idle time, one by one from the end. Afterwards all heights are exact.
 * A slow device lays out only the last part, and each other part once it is near the viewport.
 */
export async function layOutWhenIdle(): Promise<void> {
  const [last, ...others] = [...document.querySelectorAll<HTMLElement>(DEFERRED_PARTS_SELECTOR)].reverse()
  if (!last) return
  await waitForIdle()
  const startedAt = performance.now()
  last.style.contentVisibility = 'visible'
  last.getBoundingClientRect()
  if (performance.now() - startedAt > SLOW_LAYOUT_MS) return
  for (const part of others) {
    await waitForIdle()
    part.style.contentVisibility = 'visible'
  }
  layOutAll()
}

const waitForIdle = () =>
  new Promise<void>((resolve) => {
    globalThis.requestIdleCallback?.(() => resolve()) ?? setTimeout(resolve, IDLE_FALLBACK_MS)
  })

/**
 * Lays out the deferred parts before a jump, whose target would otherwise depend on estimated heights: now, if the page
 * opens at a section or a restored position; else when the visitor first follows a section link or uses the history.
 */
export function layOutBeforeJumps(): void {
  const controller = new AbortController()
  const layOut = () => {
    controller.abort()
    layOutAll()
  }
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  if (location.hash || (navigation as PerformanceNavigationTiming | undefined)?.type !== 'navigate') {
    layOut()
    return
  }
  addEventListener('popstate', layOut, { signal: controller.signal })
  const layOutForSectionLink = ({ target }: Event) => {
    if (target instanceof Element && target.closest('a[href*="#"]')) layOut()
  }
  addEventListener('click', layOutForSectionLink, { capture: true, signal: controller.signal })
}
