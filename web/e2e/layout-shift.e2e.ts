import { expect, tagsAt, test } from './fixtures'
import { expectLayoutShiftBelow, recordLayoutShifts, waitForFonts } from './layout-shift'
import { waitForHydration } from './page'

const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

for (const path of [
  '/',
  '/subscribe',
  '/privacy-policy',
  '/shows',
  '/shows/bayfront-shell-tampa-encore',
  '/merch/gold-nose-clip',
  '/community',
  '/hub',
  '/login',
  '/signup',
])
  test(`late fonts do not shift ${path}`, {
    tag: tagsAt('@desktop', path === '/'),
  }, async ({ page }) => {
    await recordLayoutShifts(page)
    for (const size of VIEWPORTS) {
      await page.setViewportSize(size)
      const fontResponse = Promise.withResolvers<void>()
      await page.route('**/*.woff2', async (route) => {
        await fontResponse.promise
        await route.continue()
      })
      const fontRequest = page.waitForRequest('**/*.woff2')
      await page.goto(path, { waitUntil: 'commit' })
      await fontRequest
      await waitForHydration(page)
      expect(await page.evaluate(() => document.fonts.status)).toBe('loading')
      fontResponse.resolve()
      await waitForFonts(page)
      await waitForHydration(page)
      await expectLayoutShiftBelow(page, 0.001)
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
