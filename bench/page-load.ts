import type { Browser } from '@playwright/test'

/** What a first visit came to: instants and spans in milliseconds, the shift as Chrome scores it. */
export type PageLoad = { fcp: number; lcp: number; cls: number; blocked: number }

/** What the page notes down of itself, from its first moment on. */
type Recorded = { fcp: number; lcp: number; cls: number; tasks: { at: number; took: number }[] }

// Lighthouse's mobile profile, applied: slow 4G and a processor four times slower, on a phone of 412 by 823.
const PHONE = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
const KBIT = 1024 / 8
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 1474.56 * KBIT,
  uploadThroughput: 675 * KBIT,
}
const CPU_SLOWDOWN = 4
/** A task holds a reader up from so many milliseconds on. */
const LONG_TASK_MS = 50

/** Opens an address as somebody who has never been here, and waits until nothing is fetched any more. */
export async function measurePageLoad(browser: Browser, url: string): Promise<PageLoad> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', SLOW_4G)
    await network.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.addInitScript(recordMetrics)
    await page.goto(url, { waitUntil: 'networkidle', timeout: 60_000 })
    const { fcp, lcp, cls, tasks } = await page.evaluate(() => (window as unknown as { noted: Recorded }).noted)
    const blocked = tasks
      .filter(({ at }) => at > fcp)
      .reduce((sum, { took }) => sum + Math.max(0, took - LONG_TASK_MS), 0)
    return { fcp, lcp, cls, blocked }
  } finally {
    await context.close()
  }
}

/** Runs in the page. */
function recordMetrics(): void {
  const noted: Recorded = { fcp: 0, lcp: 0, cls: 0, tasks: [] }
  Object.assign(window, { noted })
  const observe = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.fcp = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    noted.lcp = startTime
  })
  observe('layout-shift', (entry) => {
    noted.cls += (entry as PerformanceEntry & { value: number }).value
  })
  observe('longtask', ({ startTime, duration }) => noted.tasks.push({ at: startTime, took: duration }))
}
