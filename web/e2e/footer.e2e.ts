import { expectNewPage, expectScrolledTo } from './expectations'
import { expect, test } from './fixtures'
import { open } from './home'

test('footer links lead to their sections', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await open(page)
  const footer = page.getByRole('navigation', { name: 'Footer' })
  await expect(footer.getByRole('heading')).toHaveText(['Music', 'Live', 'Store', 'Tampa'])
  for (const [name, id] of [
    ['Latest Releases', 'music'],
    ['Supporter Hub', 'smart-features'],
    ['Live Shows', 'concerts'],
    ['Hall of Fame', 'hall-of-fame'],
    ['Community Voting', 'community-voting'],
    ['Merch Store', 'merch'],
    ['The Zone', 'exclusive'],
  ] as const) {
    await footer.getByRole('link', { name }).click()
    await expectScrolledTo(page, id)
  }
})

test('the footer links contact and privacy policy', async ({ page, externalRequests: _ }) => {
  await open(page)
  const footer = page.getByRole('contentinfo')
  await expectNewPage(page, footer.getByRole('link', { name: 'Contact' }), 'https://www.instagram.com/')
  await footer.getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeInViewport()
})

test('the hidden lyric raises easter-egg', async ({ page }) => {
  await open(page)
  await page.evaluate(() =>
    addEventListener('easter-egg', (event) => Object.assign(window, { egg: (event as CustomEvent).detail })),
  )
  const line = page.getByText('Tide came in gold, so I walked home on the water.')
  await expect(line).toHaveCount(0)
  const etching = page.getByRole('button', { name: 'Run-out groove, side A' })
  await etching.press('Enter')
  await expect(line).toBeVisible()
  await expect(etching).toHaveAttribute('aria-expanded', 'true')
  expect(await page.evaluate(() => (window as { egg?: unknown }).egg)).toEqual({
    lyric: 'Tide came in gold, so I walked home on the water.',
  })
})
