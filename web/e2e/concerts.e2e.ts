import type { Page } from '@playwright/test'
import type { Concert } from '../../worker/contract/concerts'
import { expectNewPage } from './expectations'
import { expect, test } from './fixtures'
import { getJson, open } from './home'

const shows = (page: Page) => page.getByRole('region', { name: 'Live Shows' })
const banner = (page: Page) => shows(page).getByRole('article', { name: 'NEXT SHOW' })
const upcoming = (page: Page) => getJson<Concert[]>(page, '/api/concerts/upcoming')

test('NEXT SHOW is the first upcoming show with its price', async ({ page }) => {
  await open(page)
  const [next, ...later] = await upcoming(page)
  await expect(shows(page)).toContainText(`${later.length + 1} shows`)
  for (const words of [next?.venue, next?.city, next?.address, '8:00 PM to 11:00 PM', '$25', 'Available'])
    await expect(banner(page)).toContainText(words ?? 'no show')
  await expect(banner(page).locator('time')).toHaveAttribute('datetime', next?.startsAt ?? '')
  await expect(shows(page).getByText('Check in at a show for +250 points.')).toBeVisible()
})

test('Add to Calendar ends three hours after the start', async ({ page, externalRequests }) => {
  await open(page)
  const [next] = await upcoming(page)
  if (!next) throw new Error('The demo has no show to come.')
  await expectNewPage(page, banner(page).getByRole('link', { name: 'Add to Calendar' }), /calendar\.google\.com/)
  const asked = new URL(externalRequests[0] ?? '')
  const instant = (at: number) => new Date(at).toISOString().replace(/[-:]|\.000/g, '')
  const start = Date.parse(next.startsAt)
  expect(asked.searchParams.get('dates')).toBe(`${instant(start)}/${instant(start + 3 * 60 * 60 * 1000)}`)
  expect(asked.searchParams.get('text')).toBe(`Tavi Solaire live at ${next.venue}`)
  expect(asked.searchParams.get('details')).toContain('at the door')
  expect(asked.searchParams.get('location')).toContain(next.address)
})

test('Get Directions opens the venue on a map', async ({ page, externalRequests }) => {
  await open(page)
  const [next] = await upcoming(page)
  await expectNewPage(page, banner(page).getByRole('link', { name: 'Get Directions' }), /google\.com\/maps\/search/)
  expect(new URL(externalRequests[0] ?? '').searchParams.get('query')).toContain(next?.venue)
})

test('lists each show with its availability', async ({ page }) => {
  await open(page)
  const lines = shows(page).getByRole('list').filter({ hasText: 'Cellar Nine' }).getByRole('link')
  await expect(lines).toHaveText([
    /Tampa\$25Bayfront ShellVIP Available/,
    /St. Petersburg\$20Brickyard BallroomFew tickets left/,
    /OrlandoFreeLantern RoofAvailable/,
    /Miami\$35Cellar NineSold Out/,
    /Mobile\$28Palace MarqueeAvailable/,
    /Tampa\$25Bayfront ShellVIP Available/,
  ])
})

test('the hall of fame shows the finished challenge', async ({ page }) => {
  await open(page)
  const plaque = page.getByRole('region', { name: 'Gold Open Verse Challenge' })
  for (const words of ['421 votes', 'Kilo Verano', 'July 20, 2025', '994', '54', '$500 cash'])
    await expect(plaque).toContainText(new RegExp(words.replace('$', '\\$').replace(' ', '\\s*')))
  await expect(plaque.getByRole('list').first().getByRole('listitem')).toHaveText([
    /Kilo Verano.*421.*42\.4%/,
    /Better Than average.*363.*36\.5%/,
    /Saint Cypress.*150.*15\.1%/,
    /35/,
    /9/,
    /8/,
    /8/,
  ])
  await expect(plaque.getByRole('list').last().getByRole('listitem')).toHaveCount(7)
})

test('without upcoming shows the calendar opens this month', async ({ page }) => {
  await page.route('/api/concerts/upcoming', (route) => route.fulfill({ json: [] }))
  await open(page)
  await expect(banner(page)).toHaveCount(0)
  await expect(shows(page).getByRole('heading', { name: 'No dates yet' })).toBeVisible()
  const month = new Date().toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'America/New_York' })
  await expect(shows(page).getByRole('grid', { name: month })).toBeVisible()
})
