import { expect, test } from './fixtures'
import { open } from './home'

test('a chosen track plays at the set volume', async ({ page }) => {
  await open(page)
  await page.getByRole('slider', { name: 'Volume' }).press('Home')
  const trackList = page.getByRole('list', { name: 'All tracks' })
  await expect(trackList.getByRole('button', { name: / plays$/ })).toHaveCount(6)
  await trackList.getByRole('button', { name: /^Skyway at Dusk/ }).click()
  const play = page.getByRole('button', { name: 'Play Skyway at Dusk' })
  await expect(play).toBeFocused()
  await expect(play).toBeInViewport()
  await expect(trackList.locator('[aria-current="true"]')).toHaveText(/Skyway at Dusk/)
  await expect(page.getByRole('slider', { name: 'Volume' })).toHaveValue('0')
  await expect(page.getByText('TRENDING')).toHaveCount(0)
  const response = page.waitForResponse('**/api/tracks/2/audio')
  await play.click()
  expect((await response).status()).toBe(206)
})

test('an exclusive track shows a lock and tier link', async ({ page }) => {
  await open(page)
  await page
    .getByRole('list', { name: 'All tracks' })
    .getByRole('button', { name: /Harbor Lights .* plays$/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Harbor Lights (Vault Demo)' })).toBeFocused()
  await expect(page.getByText('This one is kept for Silver and Gold supporters.')).toBeVisible()
  await expect(page.locator('audio')).toHaveCount(0)
  await page.getByRole('link', { name: 'See the tiers' }).click()
  await expect(page).toHaveURL('/subscribe?tier=silver')
})
