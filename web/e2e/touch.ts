import type { Page } from '@playwright/test'

/** Drags sideways in steps, to the left if `distancePx` is negative, and pauses before lifting the finger. */
export async function swipe(page: Page, { x, y }: { x: number; y: number }, distancePx: number): Promise<void> {
  const cdpSession = await page.context().newCDPSession(page)
  const dispatchTouch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchX?: number) =>
    cdpSession.send('Input.dispatchTouchEvent', { type, touchPoints: touchX === undefined ? [] : [{ x: touchX, y }] })
  await dispatchTouch('touchStart', x)
  for (const fraction of [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) await dispatchTouch('touchMove', x + distancePx * fraction)
  // Longer than the carousel waits before it treats a scroll as ended.
  await page.waitForTimeout(300)
  await dispatchTouch('touchMove', x + distancePx)
  // Without this pause, lifting the finger would be a fling, whose length depends on the machine.
  await page.waitForTimeout(100)
  await dispatchTouch('touchEnd')
}
