import { expectScrolledTo } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

test('bottom bar links scroll and highlight the section on screen', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openPage(page)
  const bar = page.getByRole('navigation', { name: 'Quick navigation' })
  await expect(bar.locator('[aria-current]')).toHaveCount(0)
  for (const [name, id] of [
    ['Music', 'music'],
    ['Merch', 'merch'],
    ['Shows', 'concerts'],
    ['Supporter Missions', 'smart-features'],
  ] as const) {
    await bar.getByRole('link', { name, exact: true }).click()
    await expectScrolledTo(page, id)
    await expect(bar.locator('[aria-current="location"]')).toHaveText(name)
  }
  // A section becomes active when its top is 200 pixels or less below the viewport's (ACTIVE_SECTION_OFFSET_PX).
  const scrollMerchTo = (pixels: number) =>
    page.locator('#merch').evaluate((section, top) => {
      scrollBy({ top: section.getBoundingClientRect().top - top, behavior: 'instant' })
    }, pixels)
  await scrollMerchTo(203)
  await expect(bar.locator('[aria-current]')).toHaveText('Music')
  await scrollMerchTo(199)
  await expect(bar.locator('[aria-current]')).toHaveText('Merch')
})
