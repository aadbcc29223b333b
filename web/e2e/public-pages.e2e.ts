import { expectAccessible, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage, waitForHydration } from './page'

test('the tier chooser says Coming Soon!', { tag: '@long' }, async ({ page }) => {
  await openPage(page, '/subscribe')
  await expect(page.getByRole('article')).toHaveText([/Most Popular.*Silver.*\$15/, /Gold.*\$35/])
  await expect(page.getByText('7-day free trial')).toBeVisible()
  await expect(page.getByText(/Cancel anytime/)).toBeVisible()
  for (const tier of ['Silver', 'Gold']) {
    await page.getByRole('button', { name: `Subscribe to ${tier}` }).click()
    await expectToast(page, 'Coming Soon!', 'Subscription payments will be available soon.')
  }
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('a tier link opens the chooser preselected', { tag: '@long' }, async ({ page }) => {
  await openPage(page)
  await page.getByRole('link', { name: 'Choose Gold' }).click()
  await expect(page).toHaveURL('/subscribe?tier=gold')
  const choice = page.getByRole('button', { name: 'Subscribe to Gold' })
  await expect(choice).toBeFocused()
  await expect(choice).toBeInViewport()
  await expectAccessible(page)
})

test('the checkout reports an unknown product', { tag: '@long' }, async ({ page }) => {
  await openPage(page, '/checkout?product=boat')
  await expect(page.getByRole('heading', { name: 'This product is not sold here' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go to the merch store' }).click()
  await expect(page).toHaveURL('/#merch')
})

test('the privacy policy is dated and links its clauses', { tag: '@long' }, async ({ page }) => {
  await openPage(page, '/privacy-policy')
  await expect(page.getByText('July 18, 2025').first()).toBeVisible()
  for (const fact of ['3 years of inactivity', '7 years', '26 months', '14 months', '30 days', 'under 13'])
    await expect(page.getByRole('main')).toContainText(fact)
  const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
  for (const link of await contents.all()) {
    const id = (await link.getAttribute('href'))?.slice(1)
    await link.click()
    await expect(page.locator(`[id="${id}"]`)).toBeInViewport()
  }
})

test('an unknown path shows the 404 page with status 404', async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await waitForHydration(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
