import type { Page } from '@playwright/test'
import { expectAccessible, expectAccessibleInLongRun, expectScrolledTo, expectToast, toastOn } from './expectations'
import { expect, test } from './fixtures'
import { openFullHomePage, openPage, postJson, waitForRequests } from './page'
import { createPoll, openPoll } from './polls'
import { logInByApi, openHomeAsSupporter, pointsTotal, signUp, signUpConfirmed } from './users'

/** Checks the hub after scrolling to the top, because axe reports targets that the sticky navigation covers. */
async function expectAccessibleHub(page: Page, check = expectAccessible): Promise<void> {
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await check(page, '#smart-features')
}

const HOSTILE_TITLE = `<img src=x onerror="hacked=1">`

test('creates a poll, votes, and sees the points history', { tag: '@desktop' }, async ({ page }) => {
  const name = await signUpConfirmed(page)
  await openPage(page, '/hub')
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible()
  const voting = page.getByRole('region', { name: 'Community Voting' })
  const title = `${HOSTILE_TITLE} ${name}`
  await voting.getByRole('button', { name: 'Create Poll' }).click()
  await expect(voting.getByLabel('Poll title')).toBeFocused()
  await voting.getByLabel('Poll title').fill(title)
  await voting.getByLabel('Option 1').fill('<script>hacked=1</script>')
  await voting.getByLabel('Option 2').fill('Bay teal')
  await voting.getByRole('button', { name: 'Add option' }).click()
  await expect(voting.getByRole('textbox', { name: 'Option 3' })).toBeFocused()
  await voting.getByRole('button', { name: 'Publish the poll' }).click()
  await expectToast(page, 'Poll created!', '+25 points earned')
  await expect(pointsTotal(page)).toHaveText(/25$/)
  await expect(voting.getByLabel('Poll title')).toHaveCount(0)

  await waitForRequests(page)
  const showAllButton = voting.getByRole('button', { name: /^Show all/ })
  if (await showAllButton.isVisible()) await showAllButton.click()
  const poll = voting.getByRole('article', { name: title })
  await poll.getByRole('button', { name: '<script>hacked=1</script>' }).click()
  await expectToast(page, 'Vote submitted!', '+10 points earned and +20 for the mission “Cast your first vote”')
  await expect(poll.getByText('You voted for this poll')).toBeVisible()
  await expect(poll.getByRole('button')).toHaveText(['<script>hacked=1</script>1 (100.0%)', 'Bay teal0 (0.0%)'])
  await expect(poll.getByRole('button').first()).toBeDisabled()
  await expect(pointsTotal(page)).toHaveText(/55$/)
  const history = page.getByRole('region', { name: 'Points history' })
  await expect(history.getByRole('listitem')).toHaveText([
    'Completed “Cast your first vote”+20',
    `Voted in “${title}”+10`,
    `Created “${title}”+25`,
  ])
  await expect(page.getByRole('progressbar', { name: 'Demo Tape' })).toHaveAttribute('aria-valuenow', '55')
  await expect(page.getByRole('list', { name: 'Your place' })).toContainText(`${name} (you)55 pts`)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expectAccessible(page)
})

test('another voter’s vote appears live', { tag: '@desktop' }, async ({ page, newVisitor }) => {
  const name = await signUpConfirmed(page)
  const { id, options } = await createPoll(page, `Live with ${name}`)
  const otherVoter = await newVisitor()
  await signUpConfirmed(otherVoter)
  const ownCard = await openPoll(page, `Live with ${name}`)
  await ownCard.getByRole('button', { name: 'Left' }).click()
  await expect(ownCard.getByText('Live', { exact: true })).toBeVisible()
  await expect(ownCard.getByRole('button')).toHaveText(['Left1 (100.0%)', 'Right0 (0.0%)'])
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  expect((await postJson(otherVoter, `/api/polls/${id}/vote`, { optionId: options[1]?.id })).status()).toBe(200)
  await expect(ownCard.getByRole('button')).toHaveText(['Left1 (50.0%)', 'Right1 (50.0%)'])
  expect(requests.filter((url) => url.includes('/api/polls'))).toEqual([])
})

test('a hub that fails to load can be retried', { tag: ['@phone', '@long'] }, async ({ page, expectConsoleError }) => {
  expectConsoleError(/Failed to load resource.*500/)
  let requests = 0
  // With `times: 1`, a request that is paused when the route ends would never get a response.
  await page.route('**/assets/SupporterHub-*.js', (route) =>
    requests++ ? route.continue() : route.fulfill({ status: 500, body: 'Server error' }),
  )
  await signUp(page)
  await openPage(page, '/#smart-features')
  await expect(page.getByText('The hub could not be loaded.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible()
})

test('animates earned points, except under reduced motion', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await openHomeAsSupporter(page)
  // Observed in the page, because a note is visible for 2.8 s only.
  await page.evaluate(() => {
    const notes: { text: string | null; animations: number }[] = []
    let last: Element | null = null
    new MutationObserver(() => {
      const note = document.querySelector('[role=status][aria-label=Points] .celebration-note')
      if (note && note !== last)
        notes.push({
          text: note.textContent,
          animations: note
            .getAnimations({ subtree: true })
            .filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1).length,
        })
      last = note
    }).observe(document.body, { childList: true, subtree: true })
    Object.assign(window, { notes })
  })
  const notes = () =>
    page.evaluate(() => (window as unknown as { notes: { text: string; animations: number }[] }).notes)
  const [firstLike, , lastLike] = await page.getByRole('button', { name: /^Like / }).all()
  await firstLike?.click()
  await expect.poll(notes).toEqual([{ text: '+5 points', animations: expect.any(Number) }])
  expect((await notes())[0]?.animations).toBeGreaterThan(1)
  await page.clock.fastForward(2800)
  await expect(page.locator('.celebration-note')).toHaveCount(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await lastLike?.click()
  await expect.poll(async () => (await notes())[1]).toEqual({ text: '+5 points', animations: 0 })
})

test('refetches vote counts when the WebSocket fails', { tag: ['@phone', '@long'] }, async ({ page, newVisitor }) => {
  await page.routeWebSocket(/\/live$/, (socket) => socket.close())
  await page.clock.install()
  const name = await signUpConfirmed(page)
  const { id, options } = await createPoll(page, `Polled by ${name}`)
  const poll = await openPoll(page, `Polled by ${name}`)
  await poll.getByRole('button', { name: 'Left' }).click()
  await expect(poll.getByRole('button')).toHaveText(['Left1 (100.0%)', 'Right0 (0.0%)'])
  const otherVoter = await newVisitor()
  await signUpConfirmed(otherVoter)
  expect((await postJson(otherVoter, `/api/polls/${id}/vote`, { optionId: options[1]?.id })).status()).toBe(200)
  await page.clock.fastForward(10_000)
  await expect(poll.getByRole('button')).toHaveText(['Left1 (50.0%)', 'Right1 (50.0%)'])
  await expect(poll.getByText('Live', { exact: true })).toHaveCount(0)
})

test('the hub’s tabs and poll form work by keyboard', { tag: ['@phone', '@axe'] }, async ({ page }) => {
  await openHomeAsSupporter(page)
  const hub = page.getByRole('region', { name: 'Supporter Hub', exact: true })
  const tabTops = await hub.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top))
  expect(new Set(tabTops).size, 'rows of tabs').toBe(1)
  await hub.getByRole('tab', { name: 'Dashboard' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(hub.getByRole('tab', { name: 'Supporter Missions' })).toBeFocused()
  const card = hub.getByRole('region', { name: 'Refer a Friend' })
  await expect(card).toContainText('+200 pts')
  await expect(card).toContainText('0/3 referrals used')
  await expect(hub.getByRole('region', { name: /^Missions/ }).getByRole('progressbar')).toHaveCount(4)
  await expectAccessibleHub(page, expectAccessibleInLongRun)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await card.getByRole('button', { name: 'Copy link' }).click()
  const code = await card.getByLabel('Your referral code').inputValue()
  const link = `${new URL(page.url()).origin}/signup?ref=${code}`
  await expectToast(page, 'Referral code copied!', `Your link: ${link}`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await hub.getByRole('tab', { name: 'Supporter Missions' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(hub.getByRole('heading', { name: 'What the vault still holds' })).toBeVisible()
  await expect(hub.getByText('Silver/Gold Tier Required').first()).toBeVisible()
  await expectAccessibleHub(page, expectAccessibleInLongRun)

  await hub.getByRole('tab', { name: 'Dashboard' }).click()
  const voting = page.getByRole('region', { name: 'Community Voting' })
  await voting.getByRole('button', { name: 'Create Poll' }).click()
  await voting.getByRole('button', { name: 'Publish the poll' }).click()
  await expect(toastOn(page)).toContainText('Please enter a title for your poll.')
  await expect(voting.getByLabel('Poll title')).toBeFocused()
  await page.keyboard.type('Which one?')
  await page.keyboard.press('Enter')
  await expect(toastOn(page)).toContainText('Please provide at least 2 poll options.')
  await expect(voting.getByLabel('Option 1')).toBeFocused()
  await expectAccessibleHub(page)
})

test('Community Voting links open their tab; tabs fit 320 px', { tag: ['@phone', '@long'] }, async ({ page }) => {
  await openHomeAsSupporter(page)
  const hub = page.getByRole('region', { name: 'Supporter Hub', exact: true })
  await hub.getByRole('tab', { name: 'Exclusive' }).click()
  await page.getByRole('contentinfo').getByRole('link', { name: 'Community Voting' }).click()
  await expectScrolledTo(page, 'community-voting')
  await openPage(page, '/#community-voting')
  const voting = hub.locator('#community-voting')
  await expect.poll(() => voting.evaluate((element) => Math.abs(element.getBoundingClientRect().top) < 200)).toBe(true)
  await page.setViewportSize({ width: 320, height: 800 })
  const overflowPx = () => hub.evaluate((section) => section.scrollWidth - section.clientWidth)
  for (const tab of ['Exclusive', 'Supporter Missions', 'Dashboard']) {
    await hub.getByRole('tab', { name: tab }).click()
    expect(await overflowPx(), `overflow of ${tab} at 320 pixels`).toBeLessThanOrEqual(1)
  }
})

test('the points history loads older entries', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  expect(await logInByApi(page, 'goldfan', 'gilt-tide-gold')).toBe(200)
  await openFullHomePage(page)
  const history = page.getByRole('region', { name: 'Points history' })
  const entries = history.getByRole('listitem')
  await expect(entries).toHaveCount(50)
  const scrollArea = history.getByRole('region', { name: 'All entries' })
  expect(await scrollArea.evaluate(({ clientHeight }) => clientHeight)).toBeLessThanOrEqual(24 * 16)
  await scrollArea.focus()
  await page.keyboard.press('End')
  await expect.poll(() => scrollArea.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
  await history.getByRole('button', { name: 'Show older entries' }).click()
  await expect(history.getByText('That’s everything.')).toBeVisible()
  expect(await entries.count()).toBeGreaterThan(50)
})
