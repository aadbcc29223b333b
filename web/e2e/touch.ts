import type { Page } from '@playwright/test'

/** A sideways drag in steps, with a rest before the release. */
export async function swipe(page: Page, { x, y }: { x: number; y: number }, distance: number): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] })
  await finger('touchStart', x)
  for (const share of [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) await finger('touchMove', x + distance * share)
  // Longer than the scroll-end delay.
  await page.waitForTimeout(300)
  await finger('touchMove', x + distance)
  await finger('touchEnd')
}
