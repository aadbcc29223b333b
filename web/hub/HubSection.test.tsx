import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answering, show } from '../testing/render'
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
const me = {
  id: 7,
  username: 'silver_sam',
  points: 1240,
  email: 'sam@example.com',
  emailVerified: true,
  tier: 'silver',
  role: 'supporter',
  referralCode: 'XX7ABC',
  referralsUsed: 0,
  referralLimit: 3,
}
const farSide = {
  'GET /api/auth/status': null,
  'GET /api/polls/active': [poll],
  'GET /api/leaderboard': {
    entries: [1, 2, 3, 4, 5, 6].map((rank) => ({ rank, username: `fan${rank}`, points: 100 - rank })),
    me: null,
  },
  'GET /api/missions': [],
}

test('a visitor is invited, and a vote asks to log in', async () => {
  answering(farSide)
  await show(<HubSection />)
  expect((await screen.findByRole('link', { name: 'Start Exploring' })).getAttribute('href')).toBe('/signup')
  fireEvent.click(await screen.findByRole('button', { name: 'The loud one' }))
  expect(screen.getByTestId('toast').textContent).toBe('destructive | Login required | Please sign up or login to vote')
})

test('the leaderboard shows the first five', async () => {
  answering(farSide)
  await show(<HubSection />)
  expect(await screen.findByText('fan5')).toBeDefined()
  expect(screen.queryByText('fan6')).toBeNull()
})

test('a supporter is welcomed with name and points', async () => {
  answering({ ...farSide, 'GET /api/auth/status': me })
  await show(<HubSection />)
  expect(await screen.findByText('Welcome, silver_sam')).toBeDefined()
  expect(screen.getByText('1,240')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Start Exploring' })).toBeNull()
})

test('what cannot be fetched says so and can be tried again', async () => {
  let down = true
  answering({
    ...farSide,
    'GET /api/polls/active': () => (down ? new Response('Down.', { status: 503 }) : Response.json([poll])),
  })
  await show(<HubSection />)
  expect(await screen.findByText('The polls could not be fetched.')).toBeDefined()
  down = false
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Which song comes first?')).toBeDefined()
})

test('a supporter votes, waits, and then sees counts, shares and the vote', async () => {
  const counted = {
    ...poll,
    options: [
      { id: 'a', title: 'The slow one', voteCount: 3 },
      { id: 'b', title: 'The loud one', voteCount: 1 },
    ],
    userVote: { optionId: 'b' },
  }
  answering({
    ...farSide,
    'GET /api/auth/status': me,
    'POST /api/polls/opener/vote': { pointsAwarded: 10, totalPoints: 1250, missions: [] },
  })
  await show(<HubSection />)
  await screen.findByText('Welcome, silver_sam')
  const option = (await screen.findByRole('button', { name: 'The loud one' })) as HTMLButtonElement
  answering({
    ...farSide,
    'GET /api/auth/status': { ...me, points: 1250 },
    'GET /api/polls/active': [counted],
    'POST /api/polls/opener/vote': { pointsAwarded: 10, totalPoints: 1250, missions: [] },
  })
  fireEvent.click(option)
  expect(await screen.findByText('You voted for this poll')).toBeDefined()
  expect(screen.getByTestId('toast').textContent).toBe('plain | Vote submitted! | +10 points earned')
  expect(await screen.findByText('1,250')).toBeDefined()
  const voted = screen.getByRole('button', { name: /The loud one/ }) as HTMLButtonElement
  expect([voted.disabled, voted.textContent]).toEqual([true, 'The loud one1 (25.0%)'])
  expect(screen.getByRole('progressbar', { name: 'The slow one' }).getAttribute('value')).toBe('75')
})
