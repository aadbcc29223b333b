import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage, waitForHydration } from './page'

const MESSAGES = [
  'The tiers could not be loaded.',
  'The tracks could not be loaded.',
  'The store could not be loaded.',
  'The shows could not be loaded.',
  'The hall of fame could not be loaded.',
  'The polls could not be loaded.',
  'The posts could not be loaded.',
]
const loadingStatus = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Loading/ })

test('each section reports a failed load and recovers', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*500/)
  expectConsoleError(/ERR_FAILED/)
  let requests = 0
  const fail = (route: Route) =>
    requests++ % 2 === 0 ? route.fulfill({ status: 500, body: 'It broke.' }) : route.abort()
  await page.route('/api/**', fail)
  // The hub loads its data when it is near the viewport.
  await page.goto('/#smart-features')
  for (const message of MESSAGES) await expect(page.getByText(message)).toBeVisible()
  await expect(loadingStatus(page)).toHaveCount(0)
  await expectAccessible(page)
  const first = page.getByRole('alert').filter({ hasText: MESSAGES[0] })
  const retry = first.getByRole('button', { name: 'Try again' })
  // The retry fails too; there is no alert while it is pending.
  const response = Promise.withResolvers<void>()
  await page.route('/api/config', async (route) => {
    await response.promise
    await fail(route)
  })
  await retry.click()
  await expect(first).toHaveCount(0)
  response.resolve()
  await expect(retry).toBeVisible()
  await page.unroute('/api/config')
  await page.unroute('/api/**')
  for (const message of MESSAGES) {
    const alert = page.getByRole('alert').filter({ hasText: message })
    // A recovered section may already have retried this one's request.
    await alert.getByRole('button', { name: 'Try again' }).evaluateAll(([button]: HTMLElement[]) => button?.click())
    await expect(alert).toHaveCount(0)
    await waitForHydration(page)
  }
  await waitForHydration(page)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Play Gilt Tide' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Tavi\s+Solaire/)
})

for (const [path, message, recoveredButton] of [
  ['/subscribe', 'The tiers could not be loaded.', 'Subscribe to Silver'],
  ['/checkout', 'The order could not be loaded.', 'Continue to payment'],
] as const)
  test(`${path} reports a failed load and recovers`, {
    tag: path === '/checkout' ? [] : ['@long'],
  }, async ({ page, expectConsoleError }) => {
    expectConsoleError(/Failed to load resource.*50[03]/)
    await page.route('/api/**', (route) => route.fulfill({ status: 500, body: 'It broke.' }))
    await openPage(page, path)
    await expect(page.getByText(message)).toBeVisible()
    await page.unroute('/api/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('button', { name: recoveredButton })).toBeVisible()
    await waitForHydration(page)
  })

test('a missing script asks for a reload', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*404/)
  expectConsoleError(/dynamically imported module/)
  const script = /\/assets\/SubscribePage-.*\.js/
  await page.route(script, (route) => route.fulfill({ status: 404, body: 'There is nothing here.' }))
  await openPage(page)
  await page.getByRole('link', { name: 'Choose Silver' }).click()
  await expect(page.getByRole('heading', { name: 'The needle skipped' })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.unroute(script)
  // The router reloads the page once automatically, which may be faster.
  const subscribe = page.getByRole('button', { name: 'Subscribe to Silver' })
  await page.getByRole('button', { name: 'Reload the page' }).or(subscribe).first().click()
  await expect(subscribe).toBeVisible()
})
