import type { Concert } from '../../worker/contract/concerts'
import { expect, tagsAt, test } from './fixtures'
import { getJson, openPage } from './page'

// In Tokyo, it is already the next day during evening shows in America.
test.use({ timezoneId: 'Asia/Tokyo' })

/** Local date, start, displayed day and calendar link times of shows at 23:30 in New York, near unusual dates. */
const EDGE_CASE_SHOWS = [
  // Daylight saving time begins on March 14 and ends on November 7.
  ['2027-03-13', '2027-03-14T04:30:00Z', 'Saturday, March 13, 2027', '20270314T043000Z/20270314T073000Z'],
  ['2027-03-14', '2027-03-15T03:30:00Z', 'Sunday, March 14, 2027', '20270315T033000Z/20270315T063000Z'],
  ['2027-11-06', '2027-11-07T03:30:00Z', 'Saturday, November 6, 2027', '20271107T033000Z/20271107T063000Z'],
  ['2027-12-31', '2028-01-01T04:30:00Z', 'Friday, December 31, 2027', '20280101T043000Z/20280101T073000Z'],
  ['2028-02-29', '2028-03-01T04:30:00Z', 'Tuesday, February 29, 2028', '20280301T043000Z/20280301T073000Z'],
] as const

test('shows appear on their local day throughout the year', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  const [show] = await getJson<Concert[]>(page, '/api/concerts/upcoming')
  const shows = EDGE_CASE_SHOWS.map(([date, startsAt], index) => ({
    ...show,
    id: `show-${index}`,
    venue: `Room ${index}`,
    city: 'Tampa',
    timeZone: 'America/New_York',
    startTime: '23:30',
    endTime: '02:30',
    date,
    startsAt,
    endsAt: new Date(Date.parse(startsAt) + 3 * 3_600_000).toISOString(),
  }))
  await page.route('/api/polls/active', async (route) => {
    const polls = await (await route.fetch()).json()
    await route.fulfill({ json: [{ ...polls[0], endDate: '2027-03-14T20:00:00Z' }] })
  })
  await page.route('/api/concerts/upcoming', (route) => route.fulfill({ json: shows }))
  await openPage(page)
  const grid = page.getByRole('region', { name: 'Live Shows' }).getByRole('grid')
  await expect(grid).toHaveAccessibleName('March 2027')
  for (const [index, [, , day, dates]] of EDGE_CASE_SHOWS.entries()) {
    const dayButton = grid.getByRole('button', { name: `${day}. Room ${index}` })
    for (let month = 0; month < 12 && !(await dayButton.isVisible()); month += 1)
      await page.getByRole('button', { name: 'Next', exact: true }).click()
    await dayButton.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(day)
    await expect(dialog).toContainText('11:30 PM to 2:30 AM')
    const calendar = await dialog.getByRole('link', { name: 'Add to Calendar' }).getAttribute('href')
    expect(new URL(calendar ?? '').searchParams.get('dates')).toBe(dates)
    await page.keyboard.press('Escape')
    // The calendar is hidden from role queries until the dialog has closed.
    await expect(dialog).toHaveCount(0)
  }
  await page.locator('#smart-features').scrollIntoViewIfNeeded()
  await expect(page.getByText('Open until March 15, 2027')).toBeVisible()
})

/** At any time, the date in one of the two zones differs from the UTC date. */
const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
const dayIn = (timeZone: string) => new Date().toLocaleDateString('en-CA', { timeZone })

// A hydration mismatch logs an error, which fails the test.
for (const timezoneId of ZONES)
  test.describe(timezoneId, () => {
    test.use({ timezoneId })

    test('home, hub and shows hydrate', {
      tag: tagsAt('@desktop', dayIn(timezoneId) !== dayIn('UTC')),
    }, async ({ page }) => {
      for (const path of ['/', '/hub', '/shows']) await openPage(page, path)
    })

    test('the other server-rendered pages hydrate', { tag: ['@desktop', '@long'] }, async ({ page }) => {
      for (const path of ['/hub/exclusive', '/community', '/challenge', '/music', '/merch']) await openPage(page, path)
    })
  })
