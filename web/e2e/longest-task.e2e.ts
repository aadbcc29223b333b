import type { Page } from '@playwright/test'
import { expect, tagsAt, test } from './fixtures'
import { waitForHydration } from './page'
import { timeReferenceTask, tracePage } from './page-trace'

const LOADS = 3
const CPU_SLOWDOWN = 4
/** Time for work that starts after hydration. */
const SETTLE_MS = 1000

async function throttleCpu(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/**
 * Maximum duration of a task, as a multiple of the reference task's. A busy machine measures up to twice the usual
 * multiple.
 */
const MAX_TASK_RATIOS = { '/': 6, '/music': 5 }

test('the home page forces no layout while it loads', { tag: '@phone' }, async ({ browser, newVisitor }) => {
  const page = await newVisitor()
  const trace = await tracePage(browser, page, async () => {
    await page.goto('/')
    await waitForHydration(page)
    await page.waitForLoadState('networkidle')
  })
  expect(trace.forcedLayouts).toEqual([])
})

for (const [path, maxRatio] of Object.entries(MAX_TASK_RATIOS))
  test(`${path} loads in short tasks and forces no layout`, {
    tag: tagsAt('@phone', false),
  }, async ({ browser, page: blankPage, newVisitor }) => {
    const referenceMs: number[] = []
    const longestTaskMs: number[] = []
    for (let load = 0; load < LOADS; load += 1) {
      // Repeated for each load, because closing a page ends the throttling.
      await throttleCpu(blankPage)
      referenceMs.push(await timeReferenceTask(blankPage))
      const page = await newVisitor()
      await throttleCpu(page)
      const trace = await tracePage(browser, page, async () => {
        await page.goto(path)
        await waitForHydration(page)
        await page.waitForTimeout(SETTLE_MS)
      })
      await page.close()
      expect(trace.forcedLayouts).toEqual([])
      longestTaskMs.push(trace.longestTaskMs)
    }
    expect(median(longestTaskMs) / median(referenceMs)).toBeLessThan(maxRatio)
  })
