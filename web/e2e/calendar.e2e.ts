import type { Page } from '@playwright/test'
import type { Concert } from '../../worker/contract/concerts'
import { expect, test } from './fixtures'
import { getJson, openPage } from './page'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const grid = (page: Page) => page.getByRole('region', { name: 'Live Shows' }).getByRole('grid')
const previousMonth = (page: Page) =>
  page.getByRole('region', { name: 'Live Shows' }).getByRole('button', { name: 'Previous', exact: true })

/**
 * Opens the home page, whose calendar shows the month of the next show and goes back to July 2025. `monthName` returns
 * the name of a month, counted from the next show's.
 */
async function openAtNextShow(page: Page) {
  await openPage(page)
  const shows = await getJson<Concert[]>(page, '/api/concerts/upcoming')
  const [year = 0, month = 0] = (shows[0]?.date ?? '').split('-').map(Number)
  const monthName = (offset: number) => {
    const monthNumber = year * 12 + month - 1 + offset
    return `${MONTHS[monthNumber % 12]} ${Math.floor(monthNumber / 12)}`
  }
  await expect(grid(page)).toHaveAccessibleName(monthName(0))
  return { shows, monthName, monthsSinceJuly2025: (year - 2025) * 12 + month - 7 }
}

test('calendar days name venue and availability', { tag: ['@phone', '@long'] }, async ({ page }) => {
  const { shows } = await openAtNextShow(page)
  const month = shows[0]?.date.slice(0, 7)
  const labels = shows
    .filter(({ date }) => date.startsWith(month ?? ''))
    .map(({ venue, city, isSoldOut, hasVip }) => {
      const availability = hasVip ? 'VIP Available' : 'Available'
      return `${venue}, ${city}: ${isSoldOut ? 'Sold Out' : availability}`
    })
  const days = grid(page).getByRole('button')
  await expect(days).toHaveCount(labels.length)
  for (const [index, label] of labels.entries())
    await expect(days.nth(index)).toHaveAccessibleName(new RegExp(`\\. ${label}$`))
  await expect(page.getByRole('list', { name: 'Legend' }).getByRole('listitem')).toHaveText([
    'Available Shows',
    'Sold Out',
    'VIP Available',
  ])
})

test('keys move between days; the earliest month is July 2025', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  const { shows, monthName, monthsSinceJuly2025 } = await openAtNextShow(page)
  const day = grid(page).locator('[tabindex="0"]')
  await expect(day).toHaveCount(1)
  await day.focus()
  await expect(day).toHaveAccessibleName(new RegExp(shows[0]?.venue ?? 'no show'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('PageDown')
  await expect(grid(page)).toHaveAccessibleName(monthName(1))
  await expect(day).toBeFocused()
  await page.keyboard.press('PageUp')
  await expect(grid(page)).toHaveAccessibleName(monthName(0))
  await expect(day).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(shows[0]?.venue ?? 'no show')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  for (let month = 0; month < monthsSinceJuly2025; month += 1) await previousMonth(page).click()
  await expect(grid(page)).toHaveAccessibleName('July 2025')
  await expect(previousMonth(page)).toBeDisabled()
  const pastShow = grid(page).getByRole('button', { name: /July 20, 2025\. Brass Anchor Hall, Tampa: Played/ })
  await pastShow.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Played')
  // A past show offers no calendar file.
  await expect(dialog.getByRole('link')).toHaveText(['Show page'])
})
