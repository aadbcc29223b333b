import type { Page } from '@playwright/test'

type ShiftWindow = { shifts: { startTime: number; value: number }[] }

/** Records layout shifts from the next navigation on. */
export const recordLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: ShiftWindow['shifts'] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.push({ startTime: entry.startTime, value: entry.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Sum of the layout shifts since a `performance.now()` time. */
export const layoutShift = (page: Page, since = 0) =>
  page.evaluate(
    (from) =>
      (window as unknown as ShiftWindow).shifts
        .filter(({ startTime }) => startTime >= from)
        .reduce((sum, { value }) => sum + value, 0),
    since,
  )

/** Waits for the web fonts; returns the `performance.now()` time when they were painted. */
export async function fontsLoaded(page: Page): Promise<number> {
  await page.waitForFunction(
    () => document.fonts.check('1rem "Archivo Variable"') && document.fonts.status === 'loaded',
  )
  return page.evaluate(
    () =>
      new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  )
}
