import type { Page } from '@playwright/test'
import { toastOn, waitForAnimationsOf } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { swipe } from './touch'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const showToast = (page: Page, tier: 'Silver' | 'Gold' = 'Gold') =>
  page.getByRole('button', { name: `Subscribe to ${tier}` }).click()

test.describe('with toast timers', () => {
  test.use({ toastsClose: true })

  test('a toast closes by button and after 5000 ms', { tag: ['@desktop', '@long'] }, async ({ page }) => {
    await page.clock.install()
    await openPage(page, '/subscribe')
    // The first toast loads its code over the network, which takes real time.
    await showToast(page)
    await expect(toastOn(page)).toBeVisible()
    // A window without focus pauses the timer, so the toast stays until the button is pressed.
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await toastOn(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(toastOn(page)).toHaveCount(0)
    await page.clock.pauseAt(Date.now() + 60_000)
    await showToast(page)
    // The toast's timer starts when the toast appears, some milliseconds after the click.
    let waitedMs = 0
    while (!(await toastOn(page).isVisible())) {
      await page.clock.runFor(20)
      waitedMs += 20
    }
    await page.clock.runFor(4999 - waitedMs)
    await expect(toastOn(page)).toContainText('Coming Soon!')
    await page.clock.runFor(waitedMs + 1)
    await expect(toastOn(page)).toHaveCount(0)
  })
})

test('only one toast shows at a time; F8 focuses it', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page, '/subscribe')
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await toastOn(page).evaluate((toast) => Object.assign(toast, { isFirst: true }))
  await showToast(page, 'Silver')
  await expect.poll(() => toastOn(page).evaluateAll((all) => all.map((toast) => 'isFirst' in toast))).toEqual([false])
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /^Notifications/ }).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  const isDismissFocused = await toastOn(page)
    .getByRole('button')
    .evaluate((button) => button === document.activeElement)
  if (!isDismissFocused) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toastOn(page)).toHaveCount(0)
})

test('a toast above the bottom bar is swiped away', { tag: '@phone' }, async ({ page }) => {
  await openPage(page, '/subscribe')
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await waitForAnimationsOf(toastOn(page))
  const bar = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox()
  const { x, y, height } = (await toastOn(page).boundingBox()) ?? { x: 0, y: 0, height: 0 }
  expect(y + height).toBeLessThan(bar?.y ?? 0)
  const touchPoint = { x: x + 40, y: y + height / 2 }
  // Too short, then to the wrong side.
  await swipe(page, touchPoint, 40)
  await swipe(page, touchPoint, -120)
  await expect(toastOn(page)).toBeVisible()
  await swipe(page, touchPoint, 120)
  await expect(toastOn(page)).toHaveCount(0)
})
