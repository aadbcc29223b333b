import { expect, test } from './fixtures'
import { waitForHydration } from './home'
import { layoutShift, recordLayoutShifts } from './layout-shift'

const WIDTHS = [
  { width: 390, height: 844 },
  { width: 412, height: 823 },
  { width: 1440, height: 900 },
]

for (const path of ['/', '/subscribe', '/privacy-policy', '/shows/show-bayfront-shell-encore'])
  test(`late fonts do not shift ${path} @desktop`, async ({ page }) => {
    await recordLayoutShifts(page)
    for (const size of WIDTHS) {
      await page.setViewportSize(size)
      const release = Promise.withResolvers<void>()
      await page.route('**/*.woff2', async (route) => {
        await release.promise
        await route.continue()
      })
      const fonts = page.waitForRequest('**/*.woff2')
      await page.goto(path, { waitUntil: 'commit' })
      await fonts
      await waitForHydration(page)
      expect(await page.evaluate(() => document.fonts.status)).toBe('loading')
      release.resolve()
      await page.waitForFunction(
        () => document.fonts.check('1rem "Archivo Variable"') && document.fonts.status === 'loaded',
      )
      await waitForHydration(page)
      expect(await layoutShift(page), `at ${size.width} pixels`).toBeLessThan(0.001)
      await page.unrouteAll({ behavior: 'wait' })
    }
  })
