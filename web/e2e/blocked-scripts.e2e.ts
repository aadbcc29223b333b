import type { Page } from '@playwright/test'
import { expectAccessible, toastOn } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

/** Fails requests for these scripts, as when a deployment has replaced the files or the connection is bad. */
const blockScripts = (page: Page, ...names: string[]) =>
  page.route(new RegExp(`/assets/(${names.join('|')})-[^/]+\\.js$`), (route) => route.abort())

test.beforeEach(({ expectConsoleError }) => expectConsoleError(/Failed to load resource: net::ERR_FAILED/))

test('without the toast code, toasts are plain and dismissible', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await blockScripts(page, 'ToastViewport')
  await openPage(page, '/subscribe')
  await page.getByRole('button', { name: 'Subscribe to Gold' }).click()
  const toast = page.getByRole('alert')
  await expect(toast).toContainText('Coming Soon!')
  await expectAccessible(page)
  await toast.getByRole('button', { name: 'Dismiss' }).click()
  await expect(toast).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Choose your pressing' })).toBeVisible()
})

test('without the navigation and player code, pages and music work', { tag: ['@desktop', '@long'] }, async ({
  page,
}) => {
  await blockScripts(page, 'PageChange', 'PlayerBar')
  await openPage(page)
  await page.getByRole('button', { name: 'Play Gilt Tide' }).click()
  await expect(page.getByRole('button', { name: 'Pause Gilt Tide' })).toBeVisible()
  await page.getByRole('link', { name: 'All shows' }).click()
  await expect(page).toHaveURL('/shows')
  await expect(page.getByRole('heading', { level: 1, name: 'Shows' })).toBeVisible()
  const audio = page.locator('audio')
  await expect.poll(() => audio.evaluate((music: HTMLAudioElement) => music.currentTime)).toBeGreaterThan(0)
  await page.goBack()
  await page.getByRole('button', { name: 'Pause Gilt Tide' }).click()
  await expect(page.getByRole('button', { name: 'Play Gilt Tide' })).toBeVisible()
})

test('a dialog that cannot load offers a reload', { tag: '@desktop' }, async ({ page }) => {
  await blockScripts(page, 'ShareSheet')
  await openPage(page, '/music/gilt-tide/gilt-tide')
  const share = page.getByRole('button', { name: 'Share' })
  await share.click()
  await expect(toastOn(page)).toContainText('That could not be opened')
  await expect(share).toBeFocused()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog', { name: 'Share Gilt Tide' })).toBeVisible()
})
