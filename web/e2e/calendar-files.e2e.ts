import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import ICAL from 'ical.js'
import type { Concert } from '../../worker/contract/concerts'
import { expect, test } from './fixtures'
import { getJson, open } from './home'

async function download(page: Page, link: Locator): Promise<ICAL.Event[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toMatch(/\.ics$/)
  const calendar = new ICAL.Component(ICAL.parse(await readFile(await file.path(), 'utf8')))
  return calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
}

test('calendar files contain the next and all shows', { tag: '@desktop' }, async ({ page }) => {
  await open(page)
  const shows = await getJson<Concert[]>(page, '/api/concerts/upcoming')
  const next = shows[0]
  const banner = page.getByRole('article', { name: 'NEXT SHOW' })
  const [event, ...others] = await download(page, banner.getByRole('link', { name: 'Calendar file' }))
  expect(others).toEqual([])
  expect(event?.summary).toContain(next?.venue)
  expect(event?.location).toContain(next?.address)
  expect(event?.startDate.toJSDate().toISOString()).toBe(
    next?.startsAt.replace('Z', '.000Z').replace('.000.000', '.000'),
  )

  const events = await download(page, page.getByRole('link', { name: 'All shows in your calendar' }))
  const starts = events.map((event) => event.startDate.toJSDate().getTime())
  for (const { startsAt } of shows) expect(starts).toContain(Date.parse(startsAt))
})
