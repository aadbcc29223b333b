import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { PointsEntry } from '../../worker/contract/points'
import { buildMission } from '../testing/mission.fixture'
import { buildPoll } from '../testing/poll.fixture'
import { type MockResponses, mockFetch, renderWithProviders, toastText } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { HubMissionsPage, HubPage } from './HubPages'
import { HubSection } from './HubSection'

const poll = buildPoll()
const pollWithCounts = buildPoll({
  options: [
    { id: 'a', title: 'The slow one', voteCount: 3 },
    { id: 'b', title: 'The loud one', voteCount: 1 },
  ],
  userVote: { optionId: 'b', counted: true },
})
const buildEntry = (n: number, changes: Partial<PointsEntry> = {}): PointsEntry => ({
  id: String(n),
  action: 'poll_vote',
  description: `Entry ${n}`,
  points: 10,
  createdAt: '2026-11-20T12:00:00Z',
  ...changes,
})
const supporterResponses: MockResponses = {
  'GET /api/auth/status': buildSupporter(),
  'GET /api/polls/active': [poll],
  'GET /api/polls/closed': [],
  'GET /api/leaderboard': { entries: [{ rank: 1, username: 'fan1', points: 2000 }], me: { rank: 214, points: 1240 } },
  'GET /api/missions': [buildMission()],
  'GET /api/points/history': [buildEntry(1)],
  'GET /api/community/posts': [],
  'GET /api/community/exclusive': [],
  'GET /api/referrals': [],
}
// With the hash, the section loads without being scrolled into view, which happy-dom cannot do.
const AT_HUB_SECTION = { path: '/#smart-features' }
const visitorResponses: MockResponses = {
  'GET /api/auth/status': null,
  'GET /api/polls/active': [poll],
  'GET /api/leaderboard': {
    entries: [1, 2, 3, 4, 5, 6].map((rank) => ({ rank, username: `fan${rank}`, points: 100 - rank })),
    me: null,
  },
  'GET /api/missions': [],
}
const button = (name: string | RegExp) => screen.getByRole('button', { name }) as HTMLButtonElement

/** Renders the hub section of a supporter's home page and optionally opens a tab. */
async function openHubSection(changes: MockResponses = {}, tab?: string) {
  const network = mockFetch({ ...supporterResponses, ...changes })
  const { queryClient } = await renderWithProviders(<HubSection />, AT_HUB_SECTION)
  await screen.findByRole('tab', { name: 'Dashboard' }, { timeout: 5000 })
  // Radix tabs react to mousedown, not click.
  if (tab) await act(async () => fireEvent.mouseDown(screen.getByRole('tab', { name: tab }), { button: 0 }))
  return { ...network, queryClient }
}

/** Renders the page /hub of a supporter. */
async function openHubPage(changes: MockResponses = {}) {
  const network = mockFetch({ ...supporterResponses, ...changes })
  const { queryClient } = await renderWithProviders(<HubPage />, { path: '/hub' })
  await screen.findByText('Welcome,')
  return { ...network, queryClient }
}

test('welcomes the supporter with name, points and three tabs', async () => {
  await openHubSection()
  expect(screen.getByText('Welcome,').parentElement?.textContent).toBe('Welcome, silver_sam')
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Exclusive',
    'Dashboard',
    'Supporter Missions',
  ])
  expect(screen.getAllByText('1,240')).toHaveLength(1)
  expect(screen.queryByRole('link', { name: 'Start Exploring' })).toBeNull()
})

test('the points ring shows the level and points still needed', async () => {
  await openHubSection()
  const ring = screen.getByRole('progressbar', { name: 'Album' })
  expect([ring.getAttribute('aria-valuenow'), ring.getAttribute('aria-valuetext')]).toEqual([
    '65',
    '260 points to Double Album',
  ])
})

test('the leaderboard shows a lower-ranked supporter’s rank below it', async () => {
  await openHubPage()
  const ownRank = await screen.findByRole('list', { name: 'Your place' })
  expect(ownRank.textContent).toBe('214silver_sam (you)1,240 pts')
})

test('the leaderboard marks a supporter among its entries', async () => {
  const entries = [{ rank: 1, username: 'silver_sam', points: 1240 }]
  await openHubPage({ 'GET /api/leaderboard': { entries, me: { rank: 1, points: 1240 } } })
  expect(await screen.findByText('(you)')).toBeDefined()
  expect(screen.queryByRole('list', { name: 'Your place' })).toBeNull()
})

test('a vote updates points, counts, shares and missions', async () => {
  const missions = [{ id: 'first-vote', title: 'Cast your first vote', points: 20 }]
  const { queryClient } = await openHubPage()
  await screen.findByText('Entry 1')
  const voteResponse = Promise.withResolvers<Response>()
  const { sent } = mockFetch({
    ...supporterResponses,
    'GET /api/auth/status': buildSupporter({ points: 1270 }),
    'GET /api/polls/active': [pollWithCounts],
    'GET /api/missions': [buildMission({ progress: 1, completed: true })],
    'POST /api/polls/opener/vote': () => voteResponse.promise,
  })
  fireEvent.click(button('The loud one'))
  await waitFor(() => expect([button('The loud one').disabled, button('The slow one').disabled]).toEqual([true, true]))
  expect(screen.queryByText('You voted for this poll')).toBeNull()
  voteResponse.resolve(Response.json({ pointsAwarded: 10, totalPoints: 1270, missions, counted: true }))
  expect(await screen.findByText('You voted for this poll')).toBeDefined()
  expect(toastText()).toBe('plain | Vote submitted! | +10 points earned and +20 for the mission “Cast your first vote”')
  expect(screen.getByRole('status', { name: 'Points' }).textContent).toBe('+30 pointsCast your first vote')
  await waitFor(() => expect(screen.getAllByText('1,270')).toHaveLength(1))
  await waitFor(() => expect(button(/The loud one/).textContent).toBe('The loud one1 (25.0%)'))
  expect(screen.getByRole('progressbar', { name: 'The slow one' }).getAttribute('value')).toBe('75')
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  for (const path of ['polls/active', 'auth/status', 'missions', 'points/history', 'leaderboard'])
    expect(sent.filter((line) => line === `GET /api/${path}`)).toHaveLength(1)
})

test('an open mission links to where it is done', async () => {
  const list = [buildMission(), buildMission({ id: 'done', title: 'Done', action: 'check_in', completed: true })]
  await openHubSection({ 'GET /api/missions': list }, 'Supporter Missions')
  const links = await screen.findAllByRole('link', { name: /^(Vote in a poll|Find a show)$/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/hub#community-voting'])
})

test('celebrates points that arrive before the hub has loaded', async () => {
  mockFetch(supporterResponses)
  const { queryClient } = await renderWithProviders(<HubSection />)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.queryByRole('tab')).toBeNull()
  await act(async () => queryClient.setQueryData(['auth', 'status'], buildSupporter({ points: 1245 })))
  expect((await screen.findByRole('status', { name: 'Points' })).textContent).toBe('+5 points')
})

test('a failed vote shows its error and can be retried', async () => {
  await openHubPage({
    'POST /api/polls/opener/vote': () => new Response('You may have already voted in this poll', { status: 409 }),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'The slow one' }))
  await waitFor(() =>
    expect(toastText()).toBe('destructive | Vote failed | 409: You may have already voted in this poll'),
  )
  expect(button('The slow one').disabled).toBe(false)
})

test.each([
  [409, 'You may have already voted in this poll'],
  [410, 'This poll has closed.'],
])('shows a counted vote when its retry fails with %i', async (status, message) => {
  await openHubPage()
  await screen.findByText('Entry 1')
  const { sent } = mockFetch({
    ...supporterResponses,
    'GET /api/polls/active': [pollWithCounts],
    'GET /api/auth/status': buildSupporter({ points: 1250 }),
    'POST /api/polls/opener/vote': () => new Response(message, { status }),
  })
  fireEvent.click(button('The slow one'))
  expect(await screen.findByText('You voted for this poll')).toBeDefined()
  expect(button(/The loud one/).textContent).toBe('The loud one1 (25.0%)')
  await waitFor(() => expect(screen.getAllByText('1,250')).toHaveLength(1))
  for (const path of ['polls/active', 'missions', 'points/history', 'leaderboard'])
    expect(sent).toContain(`GET /api/${path}`)
})

test('shows closed polls with their results', async () => {
  await openHubPage({ 'GET /api/polls/active': [], 'GET /api/polls/closed': [pollWithCounts] })
  const article = await screen.findByRole('article', { name: 'Which song comes first?' })
  expect(article.textContent).toContain('The loud one (your vote)1 (25.0%)')
  expect(article.textContent).toContain('4 votes')
})

test('the points history shows reasons and loads its next page', async () => {
  await openHubSection({
    'GET /api/points/history': () =>
      Response.json([buildEntry(3), buildEntry(2, { points: -5, description: 'Taken back: a copied post' })], {
        headers: { link: '</api/points/history?cursor=5.2>; rel="next"' },
      }),
    'GET /api/points/history?cursor=5.2': [buildEntry(1, { createdAt: '2026-10-02T12:00:00Z' })],
  })
  const entries = await screen.findByRole('region', { name: 'All entries' })
  expect(entries.textContent).toContain('November 20, 2026Entry 3+10Taken back: a copied post−5')
  fireEvent.click(button('Show older entries'))
  expect(await screen.findByText('October 2, 2026')).toBeDefined()
  expect(screen.getByText('That’s everything.')).toBeDefined()
})

test('retries older entries without losing loaded ones', async () => {
  let isDown = true
  await openHubSection({
    'GET /api/points/history': () =>
      Response.json([buildEntry(3)], { headers: { link: '</api/points/history?cursor=5.2>; rel="next"' } }),
    'GET /api/points/history?cursor=5.2': () =>
      isDown ? new Response('Down.', { status: 503 }) : Response.json([buildEntry(1)]),
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Show older entries' }))
  expect(await screen.findByText('The older entries could not be loaded.')).toBeDefined()
  isDown = false
  fireEvent.click(button('Try again'))
  expect(await screen.findByText('Entry 1')).toBeDefined()
  expect(screen.getByText('Entry 3')).toBeDefined()
})

test('the exclusive tab announces upcoming content while empty', async () => {
  await openHubSection({ 'GET /api/auth/status': buildSupporter({ tier: 'bronze' }) }, 'Exclusive')
  const panel = screen.getByRole('tabpanel', { name: 'Exclusive' })
  expect((await within(panel).findByRole('heading')).textContent).toBe('Premium Content Coming Soon')
  expect(within(panel).getByText('Silver/Gold Tier Required')).toBeDefined()
})

test('copies the referral code and lists referrals with their state', async () => {
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { ...navigator, userAgent: '', clipboard: { writeText } })
  await openHubSection(
    {
      'GET /api/auth/status': buildSupporter({ referralsUsed: 1 }),
      'GET /api/referrals': [
        { joinedAt: '2026-11-19T12:00:00Z', state: 'waiting' },
        { joinedAt: '2026-11-18T12:00:00Z', state: 'rewarded' },
        { joinedAt: '2026-11-17T12:00:00Z', state: 'unrewarded' },
      ],
    },
    'Supporter Missions',
  )
  const card = screen.getByRole('region', { name: 'Refer a Friend' })
  const code = within(card).getByRole('textbox', { name: 'Your referral code' }) as HTMLInputElement
  expect([code.value, code.readOnly]).toEqual(['XX7ABC', true])
  expect(within(card).getByText('+200 pts', { selector: 'p' })).toBeDefined()
  expect(within(card).getByText('1/3 referrals used')).toBeDefined()
  const rows = await within(card).findAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Joined November 19, 2026Email not confirmed yet',
    'Joined November 18, 2026+200 pts',
    'Joined November 17, 2026No bonus',
  ])
  fireEvent.click(button('Copy link'))
  const link = `${location.origin}/signup?ref=XX7ABC`
  await waitFor(() => expect(toastText()).toBe(`plain | Referral code copied! | Your link: ${link}`))
  expect(writeText).toHaveBeenCalledExactlyOnceWith(link)
})

test('shows mission progress and claims points not yet awarded', async () => {
  const unclaimedMission = buildMission({ id: 'unpaid', title: 'An older mission', progress: 2, target: 2 })
  await openHubSection(
    {
      'GET /api/missions': [
        buildMission({ progress: 1, completed: true }),
        buildMission({ id: 'b', title: 'B', target: 3 }),
        unclaimedMission,
      ],
      'POST /api/missions/unpaid/complete': { pointsAwarded: 20, totalPoints: 1260 },
    },
    'Supporter Missions',
  )
  const region = await screen.findByRole('region', { name: /^Missions/ })
  expect(await within(region).findByText('1 of 3 done')).toBeDefined()
  const bar = within(region).getByRole('progressbar', { name: 'B' })
  expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['0', '3'])
  button('Collect').focus()
  fireEvent.click(button('Collect'))
  expect(document.activeElement).toBe(region)
  await waitFor(() => expect(toastText()).toBe('plain | Mission complete | +20 points earned'))
})

test('points of a reversed mission cannot be claimed', async () => {
  const reversed = buildMission({ progress: 2, target: 2, takenBack: true })
  await openHubSection({ 'GET /api/missions': [reversed] }, 'Supporter Missions')
  const region = await screen.findByRole('region', { name: /^Missions/ })
  expect(await within(region).findByText('Taken back')).toBeDefined()
  expect(region.textContent).toContain('Its points were taken back and will not be awarded again.')
  expect(within(region).queryByRole('button')).toBeNull()
  expect(within(region).queryByRole('progressbar')).toBeNull()
  expect(within(region).getByText('0 of 1 done')).toBeDefined()
})

test('asks a visitor who votes to log in', async () => {
  mockFetch(visitorResponses)
  await renderWithProviders(<HubSection />, AT_HUB_SECTION)
  expect((await screen.findByRole('link', { name: 'Start Exploring' })).getAttribute('href')).toBe('/signup')
  fireEvent.click(await screen.findByRole('button', { name: 'The loud one' }))
  expect(toastText()).toBe('destructive | Login required | Please sign up or login to vote')
})

test('shows visitors an invitation, all polls and the leaderboard', async () => {
  mockFetch(visitorResponses)
  await renderWithProviders(<HubPage />, { path: '/hub' })
  expect((await screen.findByRole('link', { name: 'Start Exploring' })).getAttribute('href')).toBe(
    '/signup?return=%2Fhub',
  )
  expect(await screen.findByText('fan6')).toBeDefined()
  expect(screen.queryByRole('list', { name: 'Your place' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'The loud one' }))
  expect(toastText()).toBe('destructive | Login required | Please sign up or login to vote')
})

test('shows visitors every mission without progress', async () => {
  const missions = ['a', 'b', 'c', 'd', 'e'].map((id) => buildMission({ id, title: `Mission ${id}` }))
  mockFetch({ ...visitorResponses, 'GET /api/missions': missions })
  await renderWithProviders(<HubMissionsPage />, { path: '/hub/missions' })
  expect(await screen.findAllByRole('heading', { name: /^Mission / })).toHaveLength(5)
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('the home page lists four missions, open ones first', async () => {
  const missions = ['a', 'b', 'c', 'd', 'e'].map((id) =>
    buildMission({ id, title: `Mission ${id}`, completed: id === 'a' }),
  )
  await openHubSection({ 'GET /api/missions': missions }, 'Supporter Missions')
  const region = await screen.findByRole('region', { name: /^Missions/ })
  expect((await within(region).findAllByRole('heading', { level: 4 })).map(({ textContent }) => textContent)).toEqual([
    'Mission b',
    'Mission c',
    'Mission d',
    'Mission e',
  ])
  expect(screen.getByRole('link', { name: 'All missions' }).getAttribute('href')).toBe('/hub/missions')
})

test('polls that failed to load can be retried', async () => {
  let isDown = true
  mockFetch({
    ...visitorResponses,
    'GET /api/polls/active': () => (isDown ? new Response('Down.', { status: 503 }) : Response.json([poll])),
  })
  await renderWithProviders(<HubSection />, AT_HUB_SECTION)
  expect(await screen.findByText('The polls could not be loaded.')).toBeDefined()
  isDown = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Which song comes first?')).toBeDefined()
})

test('loads nothing until the section is near the viewport', async () => {
  let intersect = () => {}
  class FakeIntersectionObserver {
    constructor(notify: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      intersect = () => notify([{ isIntersecting: true } as IntersectionObserverEntry], this as never)
      expect(options?.rootMargin).toBe('100% 0px')
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver)
  const { sent } = mockFetch(visitorResponses)
  await renderWithProviders(<HubSection />)
  expect(sent).toEqual(['GET /api/auth/status'])
  expect(screen.queryByText('Loading the hub')).toBeNull()
  await act(async () => intersect())
  expect(await screen.findByRole('link', { name: 'Start Exploring' })).toBeDefined()
  expect(sent).toContain('GET /api/polls/active')
})
