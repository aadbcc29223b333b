import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import ICAL from 'ical.js'
import type { Concert } from '../../worker/contract/concerts'
import { expect, test } from './fixtures'
import { getJson, openPage } from './page'

async function downloadEvents(page: Page, link: Locator): Promise<ICAL.Event[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/\.ics$/)
  const calendar = new ICAL.Component(ICAL.parse(await readFile(await file.path(), 'utf8')))
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

test('calendar files contain the next show or all shows', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openPage(page)
  const shows = await getJson<Concert[]>(page, '/api/concerts/upcoming')
  const nextShow = shows[0]
  const banner = page.getByRole('article', { name: 'NEXT SHOW' })
  const [event, ...otherEvents] = await downloadEvents(page, banner.getByRole('link', { name: 'Calendar file' }))
  expect(otherEvents).toEqual([])
  expect(event?.summary).toContain(nextShow?.venue)
  expect(event?.location).toContain(nextShow?.address)
  expect(event?.startDate.toJSDate().getTime()).toBe(Date.parse(nextShow?.startsAt ?? ''))

  await openPage(page, '/shows')
  const events = await downloadEvents(page, page.getByRole('link', { name: 'All shows in your calendar' }))
  const starts = events.map((event) => event.startDate.toJSDate().getTime())
  for (const { startsAt } of shows) expect(starts).toContain(Date.parse(startsAt))
})
