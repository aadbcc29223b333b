import type { Page } from '@playwright/test'
import type { Concert } from '../../worker/contract/concerts'
import { expectNewPage } from './expectations'
import { expect, test } from './fixtures'
import { getJson, openPage } from './page'

const shows = (page: Page) => page.getByRole('region', { name: 'Live Shows' })
const banner = (page: Page) => shows(page).getByRole('article', { name: 'NEXT SHOW' })

test('NEXT SHOW links to the first show’s calendar and map', { tag: '@long' }, async ({ page, externalRequests }) => {
  await openPage(page)
  const [nextShow, ...laterShows] = await getJson<Concert[]>(page, '/api/concerts/upcoming')
  if (!nextShow) throw new Error('The demo has no upcoming show.')
  await expect(shows(page)).toContainText(`${laterShows.length + 1} shows`)
  for (const text of [nextShow.venue, nextShow.city, nextShow.address, '8:00 PM to 11:00 PM', '$25', 'Available'])
    await expect(banner(page)).toContainText(text)
  await expect(banner(page).locator('time')).toHaveAttribute('datetime', nextShow.startsAt)
  await expect(shows(page).getByText('Check in at a show for +250 points.')).toBeVisible()

  await expectNewPage(page, banner(page).getByRole('link', { name: 'Add to Calendar' }), /calendar\.google\.com/)
  await expectNewPage(page, banner(page).getByRole('link', { name: 'Get Directions' }), /google\.com\/maps\/search/)
  const paramsOf = (host: string) =>
    Object.fromEntries(new URL(externalRequests.find((url) => url.includes(host)) ?? '').searchParams)
  const toCalendarTime = (time: number) => new Date(time).toISOString().replace(/[-:]|\.000/g, '')
  const start = Date.parse(nextShow.startsAt)
  expect(paramsOf('calendar.google.com')).toMatchObject({
    dates: `${toCalendarTime(start)}/${toCalendarTime(start + 3 * 60 * 60 * 1000)}`,
    text: `Tavi Solaire live at ${nextShow.venue}`,
    details: expect.stringContaining('at the door'),
    location: expect.stringContaining(nextShow.address),
  })
  expect(paramsOf('www.google.com').query).toContain(nextShow.venue)
})

test('the home page shows the seeded content', { tag: '@long' }, async ({ page }) => {
  await openPage(page)
  const links = shows(page).getByRole('list').filter({ hasText: 'Lantern Roof' }).getByRole('link')
  await expect(links).toHaveText([
    /Tampa\$25Bayfront ShellVIP Available/,
    /St. Petersburg\$20Brickyard BallroomFew tickets left/,
    /OrlandoFreeLantern RoofAvailable/,
  ])

  const music = page.getByRole('region', { name: 'Latest Releases' })
  for (const text of ['01', '6 tracks', 'TRENDING', 'Gilt Tide', 'Tavi Solaire, Single', '50K plays', '20K likes'])
    await expect(music).toContainText(text)

  const store = page.getByRole('region', { name: 'Merch Store' })
  for (const text of ['02', '2 pieces', 'Limited edition', 'Gold Nose Clip', '$19.99', 'New Post'])
    await expect(store).toContainText(text)

  const winnerCard = page.getByRole('region', { name: 'Gold Open Verse Challenge' })
  for (const text of ['421 votes', 'Kilo Verano', 'July 20, 2025', '994', '54', '$500 cash'])
    await expect(winnerCard).toContainText(new RegExp(text.replace('$', '\\$').replace(' ', '\\s*')))

  const zone = page.getByRole('region', { name: 'The Zone' })
  await expect(zone.getByRole('article')).toHaveText([
    /Bronze.*\$0\s*per month/,
    /Silver.*\$15\s*per month/,
    /Gold.*\$35\s*per month/,
  ])
  await expect(zone.getByRole('article').filter({ hasText: 'Most Popular' })).toHaveAccessibleName('Silver')
  for (const [tier, count] of [
    ['Bronze', 4],
    ['Silver', 3],
    ['Gold', 2],
  ] as const)
    await expect(zone.getByRole('article', { name: tier }).getByRole('listitem')).toHaveCount(count)
  await expect(zone.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
  await expect(zone.getByText('7-day free trial. Cancel anytime.')).toBeVisible()

  await expect(page.getByRole('banner')).toContainText(/Your points:\s*0/)
  await expect(page.getByRole('navigation', { name: 'Footer' }).getByRole('heading')).toHaveText([
    'Music',
    'Live',
    'Store',
    'Tampa',
  ])
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page).toHaveURL('/privacy-policy')
  await expect(page.getByRole('heading', { name: 'Privacy Policy', level: 1 })).toBeInViewport()
})

test('a past challenge’s page shows the final vote counts', { tag: '@long' }, async ({ page }) => {
  await openPage(page)
  await shows(page).getByRole('link', { name: 'See the final vote' }).click()
  const result = page.getByRole('region', { name: 'The result' })
  await expect(result.getByRole('listitem')).toHaveText([
    /Kilo Verano.*421.*42\.4%/,
    /Better Than average.*363.*36\.5%/,
    /Saint Cypress.*150.*15\.1%/,
    /35/,
    /9/,
    /8/,
    /8/,
  ])
  await expect(page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')).toHaveCount(7)
})
