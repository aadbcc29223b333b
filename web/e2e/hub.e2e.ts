import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectToast } from './expectations'
import { expect, tagsAt, test } from './fixtures'
import { getJson, openFullHomePage, openPage, showSeededPollsOnly } from './page'
import { createPoll, openPoll } from './polls'
import { emailOf, logIn, logInByApi, newUsername, PASSWORD, pointsTotal, signUpConfirmed } from './users'

test('shows visitors the hub teaser and sign-up link', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openFullHomePage(page)
  const hub = page.getByRole('region', { name: 'Supporter Hub' })
  await expect(hub.getByRole('link', { name: 'Start Exploring' })).toHaveAttribute('href', '/signup')
  await hub.getByRole('link', { name: 'Open the hub' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Hub' })).toBeFocused()
  const { entries } = await getJson<{ entries: { username: string; points: number }[] }>(page, '/api/leaderboard')
  const rows = page.getByRole('region', { name: 'Top supporters' }).getByRole('listitem')
  await expect(rows).toHaveText(
    entries.map(({ username, points }, index) => `${index + 1}${username}${points.toLocaleString('en-US')} pts`),
  )
  await page.getByRole('navigation', { name: 'Hub' }).getByRole('link', { name: 'Supporter Missions' }).click()
  await expect(page).toHaveURL('/hub/missions')
  const missions = await getJson<{ title: string; points: number }[]>(page, '/api/missions')
  const titles = missions.map(({ title, points }) => new RegExp(`\\+${points}${title}`))
  await expect(page.getByRole('main').locator('.mission')).toHaveText(titles)
})

test('hides counts from visitors and asks them to log in', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await showSeededPollsOnly(page)
  await openFullHomePage(page)
  const voting = page.getByRole('region', { name: 'Community Voting' })
  await expect(voting.getByRole('article')).toHaveCount(1)
  await page.getByRole('link', { name: 'Open the hub' }).click()
  await expect(page).toHaveURL('/hub')
  await expect(voting.getByRole('article')).toHaveCount(2)
  await expect(voting.getByText('Results show once you have voted.')).toHaveCount(2)
  const options = voting.getByRole('button')
  await expect(options).toHaveCount(7)
  await options.first().click()
  await expectToast(page, 'Login required', 'Please sign up or login to vote')
  const sheet = page.getByRole('dialog', { name: 'Sign up to make it count' })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(options.first()).toBeFocused()
  await options.last().press('Enter')
  await expect(sheet).toBeVisible()
  await expectAccessible(page)
})

/** Reloads until the poll appears: visitors read a cached list, which may be a few seconds old. */
async function openPollAsVisitor(page: Page, title: string): Promise<Locator> {
  await expect(async () => {
    await expect(await openPoll(page, title)).toBeVisible({ timeout: 500 })
  }).toPass()
  return page.getByRole('article', { name: title })
}

test('a sign-up in the sheet casts the chosen vote', { tag: '@phone' }, async ({ page, newVisitor }) => {
  const author = await newVisitor()
  await signUpConfirmed(author)
  const title = `Sheet ${newUsername('poll')}`
  await createPoll(author, title)
  const poll = await openPollAsVisitor(page, title)
  await poll.getByRole('button', { name: 'Left' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText('Your vote for “Left” is waiting.')).toBeVisible()
  await expect(page.getByText('You voted for this poll')).toHaveCount(0)
  const name = newUsername('fan')
  await sheet.getByLabel('Username').fill(name)
  await sheet.getByLabel('Email').fill(emailOf(name))
  await sheet.getByLabel('Phone number').fill('(813) 555-0142')
  await sheet.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sheet.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(sheet.getByText('We saved your vote for “Left”.')).toBeVisible()
  await expect(sheet.getByText(emailOf(name))).toBeVisible()
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(poll.getByText('You voted for this poll')).toBeVisible()
})

test('a login after a reload casts the chosen vote', { tag: ['@desktop', '@long'] }, async ({ page, newVisitor }) => {
  const author = await newVisitor()
  const name = await signUpConfirmed(author)
  const title = `Later ${newUsername('poll')}`
  await createPoll(author, title)
  const poll = await openPollAsVisitor(page, title)
  await poll.getByRole('button', { name: 'Right' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await openPage(page, '/login')
  await expect(page.getByText('Your vote for “Right” is waiting.')).toBeVisible()
  await logIn(page, name, PASSWORD)
  await expectToast(page, 'Vote submitted!', '+10 points earned and +20 for the mission “Cast your first vote”')
  await expect((await openPoll(page, title)).getByText('You voted for this poll')).toBeVisible()
})

for (const path of ['/community', '/hub', '/hub/exclusive', '/hub/missions'])
  test(`${path} invites visitors and greets members`, {
    tag: tagsAt('@phone', path === '/hub'),
  }, async ({ page }) => {
    await openPage(page, path)
    await expect(page.getByRole('main').getByRole('link', { name: /^(Start Exploring|Log in to post)$/ })).toBeVisible()
    await expectAccessible(page)
    const overflowPx = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await overflowPx()).toBeLessThanOrEqual(0)
    expect(await logInByApi(page, 'goldfan', 'gilt-tide-gold')).toBe(200)
    await openPage(page, path)
    await expect(
      page.getByRole('main').getByText(path === '/community' ? 'Your post' : 'Welcome,', { exact: true }),
    ).toBeVisible()
    await expect(page.getByText('Tier Required')).toHaveCount(0)
    const points = (await pointsTotal(page).textContent())?.replace('Your points:', '') ?? ''
    if (path !== '/community')
      await expect(page.locator('.points-ring').getByText(points, { exact: true })).toHaveCount(1)
    await expectAccessible(page)
    expect(await overflowPx()).toBeLessThanOrEqual(0)
  })
