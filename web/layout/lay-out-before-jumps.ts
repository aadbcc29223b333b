/**
 * Has the browser lay out the whole page, also the parts that it skips far from the viewport (home.css), before a jump:
 * at the first click on a link to a section or history navigation; at once if the page opens at a section or at a
 * restored position. Otherwise the jump would aim at estimated heights.
 */
export function layOutBeforeJumps(): void {
  const waiting = new AbortController()
  const layOut = () => {
    waiting.abort()
    document.documentElement.classList.add('full-layout')
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
