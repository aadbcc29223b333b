import { expect, type Page } from '@playwright/test'

type LayoutShift = { startTime: number; value: number; sources: string[] }
type ShiftWindow = { shifts: LayoutShift[] }

/** Records layout shifts from the next navigation on. */
export const recordLayoutShifts = (page: Page) =>
  page.addInitScript(() => {
    type Rect = { x: number; y: number; width: number; height: number }
    type Source = { node: Element | null; previousRect: Rect; currentRect: Rect }
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] }
    const shifts: ShiftWindow['shifts'] = []
    Object.assign(window, { shifts })
    const formatRect = ({ x, y, width, height }: Rect) => [x, y, width, height].map(Math.round).join(' ')
    new PerformanceObserver((list) => {
      for (const { startTime, value, hadRecentInput, sources } of list.getEntries() as Entry[])
        if (!hadRecentInput)
          shifts.push({
            startTime,
            value,
            sources: sources.map(
              ({ node, previousRect, currentRect }) =>
                `${node?.outerHTML?.slice(0, 80) ?? node?.nodeName}: ${formatRect(previousRect)} to ${formatRect(currentRect)}`,
            ),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Expects the sum of the layout shifts since `since`, a `performance.now()` time, to be less than `maximum`. */
export async function expectLayoutShiftBelow(page: Page, maximum: number, since = 0): Promise<void> {
  const shifts = await page.evaluate(
    (from) => (window as unknown as ShiftWindow).shifts.filter(({ startTime }) => startTime >= from),
    since,
  )
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, `layout shifts at ${page.url()}: ${JSON.stringify(shifts, null, 2)}`).toBeLessThan(maximum)
}

/** Waits for the web fonts; returns the `performance.now()` time when they were painted. */
export async function waitForFonts(page: Page): Promise<number> {
  await page.waitForFunction(
    () => document.fonts.check('1rem "Archivo Variable"') && document.fonts.status === 'loaded',
  )
  return page.evaluate(
    () =>
      new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
  )
}
