import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { openPage, waitForRequests } from './page'

/** Collects the paths of requests for code and data. */
function recordRequests(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') || pathname.endsWith('.js')) paths.push(pathname)
  })
  return paths
}

const musicLink = (page: Page) => page.getByRole('link', { name: 'All music' })

test('a hovered link loads code and data once', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page)
  await musicLink(page).scrollIntoViewIfNeeded()
  await waitForRequests(page)
  const requests = recordRequests(page)
  for (let hover = 0; hover < 3; hover++) {
    await musicLink(page).hover()
    await expect.poll(() => requests).toContain('/api/releases')
    await page.mouse.move(0, 0)
  }
  await expect
    .poll(() => requests.filter((path) => path.endsWith('.js')))
    .toContainEqual(expect.stringContaining('pages'))
  await waitForRequests(page)
  expect(new Set(requests).size).toBe(requests.length)
  const preloaded = requests.splice(0)
  await musicLink(page).click()
  await expect(page.getByRole('list', { name: 'Releases' }).getByRole('listitem').first()).toBeVisible()
  // Other requests are allowed, because the pointer may now be over another link.
  expect(requests.filter((path) => preloaded.includes(path))).toEqual([])
})

test('a touch loads data before the click', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openPage(page)
  await musicLink(page).scrollIntoViewIfNeeded()
  const requests = recordRequests(page)
  await musicLink(page).dispatchEvent('touchstart')
  await expect.poll(() => requests).toContain('/api/releases')
})

test('a page shows a skeleton while its code loads', { tag: '@phone' }, async ({ page }) => {
  await openPage(page)
  const code = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await code.promise
    await route.continue()
  })
  await musicLink(page).tap()
  await expect(page.getByRole('status').filter({ hasText: 'Loading the page' })).toBeAttached()
  await expect(page).toHaveURL('/music')
  code.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Music' })).toBeFocused()
})

const recordTransitions = (page: Page) =>
  page.addInitScript(() => {
    const start = document.startViewTransition.bind(document)
    Object.assign(window, { transitions: 0 })
    document.startViewTransition = (update) => {
      ;(window as unknown as { transitions: number }).transitions += 1
      return start(update)
    }
  })
const transitionCount = (page: Page) => page.evaluate(() => (window as unknown as { transitions: number }).transitions)

test('pages cross-fade, except for section links and reduced motion', { tag: '@desktop' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await recordTransitions(page)
  await openPage(page)
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Merch', exact: true }).click()
  await expect(page).toHaveURL('/#merch')
  expect(await transitionCount(page)).toBe(0)
  await page.getByRole('link', { name: 'All merch' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await transitionCount(page)).toBe(1)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.getByRole('link', { name: /Gilt Disc Hoodie/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Gilt Disc Hoodie' })).toBeFocused()
  expect(await transitionCount(page)).toBe(1)
})
