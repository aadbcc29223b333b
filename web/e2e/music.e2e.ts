import { expectAccessible, expectAccessibleInLongRun, expectToast } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'
import { openHomeAsSupporter, pointsTotal } from './users'

test('opens a release and plays a track from a lyric', { tag: ['@phone', '@axe'] }, async ({ page }) => {
  await openPage(page, '/music')
  await page.getByRole('link', { name: /Gilt Tide/ }).click()
  await expect(page).toHaveURL('/music/gilt-tide')
  await expect(page.getByRole('heading', { level: 1, name: 'Gilt Tide' })).toBeVisible()
  await expectAccessibleInLongRun(page)
  await page.getByRole('list', { name: 'Tracks' }).getByRole('link', { name: 'Gilt Tide' }).click()
  await expect(page).toHaveURL('/music/gilt-tide/gilt-tide')
  await page.getByRole('button', { name: /Carried what I had/ }).click()
  await expect(page.locator('li[aria-current]')).toHaveText(/Carried what I had/)
  await expectAccessible(page)
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflowPx).toBeLessThanOrEqual(0)
})

test('lyrics scroll only while the current line is in view', { tag: '@phone' }, async ({ page }) => {
  await openPage(page, '/music/gilt-tide/gilt-tide')
  await page.getByRole('button', { name: /^Carried what I had/ }).click()
  const current = page.locator('li[aria-current]')
  const seek = page.getByRole('region', { name: 'Player' }).getByRole('slider', { name: 'Seek' })
  await expect(current).toBeInViewport({ ratio: 1 })
  await seek.fill('75')
  await expect(current).not.toHaveText(/Carried what I had/)
  await expect(current).toBeInViewport({ ratio: 1 })
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300)

  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const line = await current.textContent()
  await seek.fill('60')
  await expect(current).not.toHaveText(line ?? '')
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('likes a track in the player, unlikes in the list', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openHomeAsSupporter(page)
  const hearts = page.getByRole('button', { name: 'Like Gilt Tide' })
  await hearts.first().click()
  await expectToast(page, 'Liked!', 'Track added to your favorites. +5 points earned')
  await expect(pointsTotal(page)).toHaveText(/5$/)
  await openPage(page, '/music#favorites')
  await expect(page.getByRole('region', { name: 'Your favorites' })).toBeInViewport({ ratio: 0.5 })
  await expect(page.getByRole('region', { name: 'Your favorites' })).toBeFocused()
  await openPage(page)
  for (const heart of await hearts.all()) await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await hearts.last().click()
  await expectToast(page, 'Like removed', 'Track removed from your favorites. −5 pointsUndo')
  await expect(pointsTotal(page)).toHaveText(/0$/)
  for (const heart of await hearts.all()) await expect(heart).toHaveAttribute('aria-pressed', 'false')
})
