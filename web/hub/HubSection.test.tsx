import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { type MockResponses, mockFetch, renderWithProviders } from '../testing/render'
import { HubSection } from './HubSection'

const poll = {
  id: 'opener',
  title: 'Which song comes first?',
  description: '',
  endDate: '2026-12-01T12:00:00Z',
  options: [
    { id: 'a', title: 'The slow one', voteCount: null },
    { id: 'b', title: 'The loud one', voteCount: null },
  ],
  userVote: null,
}
// jsdom has no layout: the hash makes the section count as near.
const NEAR = { path: '/#smart-features' }
const responses: MockResponses = {
  'GET /api/auth/status': null,
  'GET /api/polls/active': [poll],
  'GET /api/leaderboard': {
    entries: [1, 2, 3, 4, 5, 6].map((rank) => ({ rank, username: `fan${rank}`, points: 100 - rank })),
    me: null,
  },
  'GET /api/missions': [],
}

test("a visitor's vote asks to log in", async () => {
  mockFetch(responses)
  await renderWithProviders(<HubSection />, NEAR)
  expect((await screen.findByRole('link', { name: 'Start Exploring' })).getAttribute('href')).toBe('/signup')
  fireEvent.click(await screen.findByRole('button', { name: 'The loud one' }))
  expect(screen.getByTestId('toast').textContent).toBe('destructive | Login required | Please sign up or login to vote')
})

test('the leaderboard shows five supporters', async () => {
  mockFetch(responses)
  await renderWithProviders(<HubSection />, NEAR)
  expect(await screen.findByText('fan5')).toBeDefined()
  expect(screen.queryByText('fan6')).toBeNull()
})

test('shows errors and retries', async () => {
  let down = true
  mockFetch({
    ...responses,
    'GET /api/polls/active': () => (down ? new Response('Down.', { status: 503 }) : Response.json([poll])),
  })
  await renderWithProviders(<HubSection />, NEAR)
  expect(await screen.findByText('The polls could not be fetched.')).toBeDefined()
  down = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Which song comes first?')).toBeDefined()
})

test('loads nothing until the section comes near', async () => {
  let come = () => {}
  class Watch {
    constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
      come = () => tell([{ isIntersecting: true } as IntersectionObserverEntry], this as never)
      expect(options?.rootMargin).toBe('100% 0px')
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Watch)
  const { sent } = mockFetch(responses)
  await renderWithProviders(<HubSection />)
  expect(sent).toEqual(['GET /api/auth/status'])
  expect(screen.queryByText('Fetching the hub')).toBeNull()
  await act(async () => come())
  expect(await screen.findByRole('link', { name: 'Start Exploring' })).toBeDefined()
  expect(sent).toContain('GET /api/polls/active')
})
