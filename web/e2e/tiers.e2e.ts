import { expect, test } from './fixtures'
import { open } from './home'

test('shows three tiers with Silver as popular', async ({ page }) => {
  await open(page)
  const zone = page.getByRole('region', { name: 'The Zone' })
  await expect(zone.getByRole('article')).toHaveText([
    /Bronze.*\$0\s*per month/,
    /Silver.*\$15\s*per month/,
    /Gold.*\$35\s*per month/,
  ])
  await expect(zone.getByRole('article').filter({ hasText: 'Most Popular' })).toHaveAccessibleName('Silver')
  for (const tier of ['Bronze', 'Silver', 'Gold'])
    await expect(zone.getByRole('article', { name: tier }).getByRole('listitem')).toHaveCount(4)
  await expect(zone.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  await expect(zone.getByText('7-day free trial. Cancel anytime.')).toBeVisible()
})

test('a tier link preselects the tier', async ({ page }) => {
  await open(page)
  await page.getByRole('link', { name: 'Choose Gold' }).click()
  await expect(page).toHaveURL('/subscribe?tier=gold')
  const choice = page.getByRole('button', { name: 'Subscribe to Gold' })
  await expect(choice).toBeFocused()
  await expect(choice).toBeInViewport()
})
