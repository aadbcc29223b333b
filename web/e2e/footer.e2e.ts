import { expect, test } from './fixtures'
import { open } from './home'

test('the footer groups its links and opens the policy', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('navigation', { name: 'Footer' }).getByRole('heading')).toHaveText([
    'Music',
    'Live',
    'Store',
    'Tampa',
  ])
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeInViewport()
})

test('the hidden lyric dispatches easter-egg', async ({ page }) => {
  await open(page)
  await page.evaluate(() =>
    addEventListener('easter-egg', (event) => Object.assign(window, { detail: (event as CustomEvent).detail })),
  )
  const lyric = page.getByText('Tide came in gold, so I walked home on the water.')
  await expect(lyric).toHaveCount(0)
  const button = page.getByRole('button', { name: 'Run-out groove, side A' })
  await button.press('Enter')
  await expect(lyric).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  expect(await page.evaluate(() => (window as { detail?: unknown }).detail)).toEqual({
    lyric: 'Tide came in gold, so I walked home on the water.',
  })
})
