import type { Page } from '@playwright/test'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { openPage } from './page'

const dayOf = (page: Page, venue: string) =>
  page
    .getByRole('grid')
    .getByRole('button', { name: new RegExp(venue) })
    .first()

/** Shows the next month, up to three times, until the calendar has a show at the venue. */
async function changeMonthTo(page: Page, venue: string): Promise<void> {
  for (let month = 0; month < 3 && (await dayOf(page, venue).count()) === 0; month++)
    await page.getByRole('button', { name: 'Next', exact: true }).click()
}

/** Opens the dialog of a show from the home page's calendar, with the keyboard. */
async function openShowDialog(page: Page, venue: string) {
  await openPage(page)
  await changeMonthTo(page, venue)
  await dayOf(page, venue).press('Enter')
  const dialog = page.getByRole('dialog', { name: `Show details: ${venue}` })
  await expect(dialog).toBeVisible()
  return dialog
}

test('the show dialog lists all details', { tag: '@phone' }, async ({ page }) => {
  const dialog = await openShowDialog(page, 'Brickyard Ballroom')
  for (const text of [
    '1418 Kiln Street N, St. Petersburg, FL 33701',
    '9:00 PM to 12:00 AM',
    '$20',
    'Few tickets left',
    'Tickets at the door only, none online.',
    'Check in at the show for +250 points.',
  ])
    await expect(dialog).toContainText(text)
  await expect(dialog.getByRole('link')).toHaveText(['Add to Calendar', 'Get Directions', 'Calendar file', 'Show page'])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(dayOf(page, 'Brickyard Ballroom')).toBeFocused()
})

test('the dialog traps focus; Escape, button, backdrop close it', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  const dialog = await openShowDialog(page, 'Lantern Roof')
  const isFocusInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
  const stops = (await dialog.getByRole('link').count()) + (await dialog.getByRole('button').count())
  for (let tab = 0; tab <= stops; tab += 1) {
    expect(await isFocusInside()).toBe(true)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Shift+Tab')
  expect(await isFocusInside()).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(dayOf(page, 'Lantern Roof')).toBeFocused()

  await changeMonthTo(page, 'Cellar Nine')
  await dayOf(page, 'Cellar Nine').press('Enter')
  const otherDialog = page.getByRole('dialog', { name: 'Show details: Cellar Nine' })
  await expect(otherDialog).toContainText('Sold Out')
  const before = await page.evaluate(() => scrollY)
  await page.mouse.move(10, 10)
  await page.mouse.wheel(0, 600)
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await otherDialog.getByRole('button', { name: 'Close' }).click()
  await expect(otherDialog).toHaveCount(0)
  await dayOf(page, 'Cellar Nine').press('Enter')
  await expect(otherDialog).toBeVisible()
  // The dialog listens to outside clicks only after it has taken focus.
  await expect(otherDialog.locator(':focus')).toHaveCount(1)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await page.mouse.click(5, 5)
  await expect(otherDialog).toHaveCount(0)
})
