import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { getJson, openFullPage, showSeededPollsOnly } from './home'

test('shows visitors the hub teaser and sign-up link', { tag: '@desktop' }, async ({ page }) => {
  await openFullPage(page)
  const hub = page.getByRole('region', { name: 'Supporter Hub' })
  await expect(hub.getByRole('link', { name: 'Start Exploring' })).toHaveAttribute('href', '/signup')
  const { entries } = await getJson<{ entries: { username: string; points: number }[] }>(page, '/api/leaderboard')
  const topFive = entries.slice(0, 5).map(({ username, points }) => `${username}${points.toLocaleString('en-US')} pts`)
  const rows = page.getByRole('region', { name: 'Top supporters' }).getByRole('listitem')
  await expect(rows).toHaveText(topFive.map((text, index) => `${index + 1}${text}`))
  const missions = await getJson<{ title: string; points: number }[]>(page, '/api/missions')
  const firstFour = missions.slice(0, 4).map(({ title, points }) => new RegExp(`\\+${points}${title}`))
  await expect(page.getByRole('region', { name: 'Missions' }).getByRole('listitem')).toHaveText(firstFour)
})

test('hides counts from visitors and asks them to log in', { tag: '@phone' }, async ({ page }) => {
  await showSeededPollsOnly(page)
  await openFullPage(page)
  const voting = page.getByRole('region', { name: 'Community Voting' })
  await expect(voting.getByRole('article')).toHaveCount(2)
  await expect(voting.getByText('The counts show once you have voted.')).toHaveCount(2)
  const options = voting.getByRole('button')
  await expect(options).toHaveCount(7)
  await options.first().click()
  await expectToast(page, 'Login required', 'Please sign up or login to vote')
  await options.last().press('Enter')
  await expectToast(page, 'Login required', 'Please sign up or login to vote')
})
