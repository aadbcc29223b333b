import type { Page } from '@playwright/test'

/** From the next page on, counts how far what stood is pushed about, as Chrome counts it. */
export const countShifts = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) (window as unknown as { shifted: number }).shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
export const shifted = (page: Page) => page.evaluate(() => (window as unknown as { shifted: number }).shifted)
