import type { Page } from '@playwright/test'

/** A finger goes from `start` sideways by `distance` pixels, in steps as a hand does, rests on its way, and is lifted. */
export async function swipe(page: Page, { x, y }: { x: number; y: number }, distance: number): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    browser.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] })
  await finger('touchStart', x)
  for (const share of [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) await finger('touchMove', x + distance * share)
  // Longer than what follows a scroll waits for its end.
  await page.waitForTimeout(300)
  await finger('touchMove', x + distance)
  await finger('touchEnd')
}
