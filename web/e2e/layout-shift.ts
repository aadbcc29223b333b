import type { Page } from '@playwright/test'

type ShiftWindow = { shifts: { at: number; by: number }[] }

/** Records layout shifts from the next navigation on. */
export const recordLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: ShiftWindow['shifts'] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts.push({ at: entry.startTime, by: entry.value })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Sum of shifts since a performance.now() time. */
export const layoutShift = (page: Page, since = 0) =>
  page.evaluate(
    (from) =>
      (window as unknown as ShiftWindow).shifts.filter(({ at }) => at >= from).reduce((sum, { by }) => sum + by, 0),
    since,
  )

/** The time when the web fonts were painted. */
export async function fontsLoaded(page: Page): Promise<number> {
  await page.waitForFunction(
    () => document.fonts.check('1rem "Archivo Variable"') && document.fonts.status === 'loaded',
  )
  return page.evaluate(
    () =>
      new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  )
}
