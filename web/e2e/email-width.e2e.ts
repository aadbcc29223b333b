import { createServer } from 'vite'
import type { allEmails } from '../../worker/testing/all-emails'
import { expect, test } from './fixtures'

test('every email fits 320 px, light and dark', { tag: '@phone' }, async ({ page }) => {
  const vite = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
  })
  const module = await vite.ssrLoadModule('/worker/testing/all-emails.ts')
  const emails = (module.allEmails as typeof allEmails)('The Gilded Courtyard of St. Petersburg')
  await vite.close()
  expect(emails.length).toBeGreaterThan(15)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const { kind, html } of emails) {
      await page.setContent(html)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      const expected = colorScheme === 'dark' ? 'rgb(11, 10, 8)' : 'rgb(247, 242, 231)'
      expect([kind, colorScheme, width, background]).toEqual([kind, colorScheme, 320, expected])
    }
  }
})
