import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

test('subscribing is announced as Coming Soon!', async ({ page }) => {
  await open(page, '/subscribe')
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

for (const [path, tier] of [
  ['/subscribe?tier=silver', 'Silver'],
  ['/subscribe?tier=gold', 'Gold'],
  ['/subscribe?tier=vip', 'Gold'],
] as const)
  test(`${path} preselects ${tier}`, async ({ page }) => {
    await open(page, path)
    await expect(page.getByRole('button', { name: `Subscribe to ${tier}` })).toBeFocused()
    await expect(page.locator('[data-chosen]')).toHaveAccessibleName(tier)
  })

test('the checkout reports an unknown product', async ({ page }) => {
  await open(page, '/checkout?product=boat')
  await expect(page.getByRole('heading', { name: 'This product is not sold here' })).toBeVisible()
  await page.getByRole('link', { name: 'To the Merch Store' }).click()
  await expect(page).toHaveURL('/#merch')
})

test('the privacy policy is dated and links its clauses', async ({ page }) => {
  await open(page, '/privacy-policy')
  await expect(page.getByText('July 18, 2025').first()).toBeVisible()
  for (const text of ['3 years of inactivity', '7 years', '26 months', '14 months', '30 days', 'under 13'])
    await expect(page.getByRole('main')).toContainText(text)
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
  await page.getByRole('link', { name: 'Back to the home page' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
