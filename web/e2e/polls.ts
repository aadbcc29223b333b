import type { Locator, Page } from '@playwright/test'
import { expect } from './expectations'
import { getJson, openPage, postJson } from './page'
import { pointsTotal } from './users'

type Poll = { id: string; title: string; options: { id: string }[] }

/** Creates a poll as this page's supporter. Tests that vote need their own, because others vote in the demo's. */
export async function createPoll(page: Page, title: string): Promise<Poll> {
  const response = await postJson(page, '/api/polls', { title, options: [{ title: 'Left' }, { title: 'Right' }] })
  expect(response.status()).toBe(201)
  const polls = await getJson<Poll[]>(page, '/api/polls/active')
  const poll = polls.find((row) => row.title === title)
  if (!poll) throw new Error(`${title} is not among ${polls.length} polls.`)
  return poll
}

/** Opens the hub and finds a poll's card. */
export async function openPoll(page: Page, title: string): Promise<Locator> {
  await openPage(page, '/hub')
  await expect(pointsTotal(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Community Voting' }).getByRole('article')).not.toHaveCount(0)
  const showAll = page.getByRole('button', { name: /^Show all \d+ polls/ })
  if (await showAll.isVisible()) await showAll.click()
  return page.getByRole('article', { name: title })
}
