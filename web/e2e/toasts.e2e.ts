import type { Page } from '@playwright/test'
import { animationsFinished, pauseToasts, toastOn } from './expectations'
import { expect, test } from './fixtures'
import { open, openFullPage } from './home'
import { swipe } from './touch'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const showToast = (page: Page, tier: 'Silver' | 'Gold' = 'Gold') =>
  page.getByRole('button', { name: `Subscribe to ${tier}` }).click()

test('only one toast shows at a time', { tag: '@desktop' }, async ({ page }) => {
  await openFullPage(page)
  await page.getByRole('region', { name: 'First to know' }).getByRole('button').click()
  await expect(toastOn(page)).toContainText('Email required')
  await page.getByRole('region', { name: 'Community Voting' }).getByRole('button').first().press('Enter')
  await expect(toastOn(page)).toHaveCount(1)
  await expect(toastOn(page)).toContainText('Login required')
})

test('a toast closes by button and after 5000 ms', { tag: '@desktop' }, async ({ page }) => {
  await page.clock.install()
  await open(page, '/subscribe')
  // The first toast loads the toast viewport, in real time.
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await pauseToasts(page)
  await toastOn(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(toastOn(page)).toHaveCount(0)
  await page.clock.pauseAt(Date.now() + 60_000)
  await showToast(page)
  let elapsedMs = 0
  while (!(await toastOn(page).isVisible())) {
    await page.clock.runFor(20)
    elapsedMs += 20
  }
  await page.clock.runFor(4999 - elapsedMs)
  await expect(toastOn(page)).toContainText('Coming Soon!')
  await page.clock.runFor(elapsedMs + 1)
  await expect(toastOn(page)).toHaveCount(0)
})

test('F8 focuses the toast', { tag: '@desktop' }, async ({ page }) => {
  await open(page, '/subscribe')
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await pauseToasts(page)
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /^Notifications/ }).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Tab')
  if (
    !(await toastOn(page)
      .getByRole('button')
      .evaluate((button) => button === document.activeElement))
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toastOn(page)).toHaveCount(0)
})

test('a 50 px swipe right dismisses a toast', { tag: '@phone' }, async ({ page }) => {
  await open(page, '/subscribe')
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await pauseToasts(page)
  await animationsFinished(toastOn(page))
  const { x, y, height } = (await toastOn(page).boundingBox()) ?? { x: 0, y: 0, height: 0 }
  const start = { x: x + 40, y: y + height / 2 }
  await swipe(page, start, 40)
  await swipe(page, start, -120)
  await expect(toastOn(page)).toBeVisible()
  await swipe(page, start, 120)
  await expect(toastOn(page)).toHaveCount(0)
})

test('a toast does not cover the bottom bar', { tag: '@phone' }, async ({ page }) => {
  await open(page, '/subscribe')
  await showToast(page)
  await expect(toastOn(page)).toBeVisible()
  await pauseToasts(page)
  await animationsFinished(toastOn(page))
  const toast = await toastOn(page).boundingBox()
  const bar = await page.getByRole('navigation', { name: 'Quick navigation' }).boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
})
