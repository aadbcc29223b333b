import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPoll } from '../testing/poll.fixture'
import { mockFetch, renderWithProviders } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { VotablePoll } from './VotablePoll'

const UNCOUNTED_VOTE = buildPoll({ userVote: { optionId: 'b', counted: false } })
async function renderPoll(emailVerified: boolean, poll = UNCOUNTED_VOTE) {
  const network = mockFetch({
    'GET /api/auth/status': buildSupporter({ emailVerified }),
    'POST /api/auth/email/resend': () => new Response(null, { status: 202 }),
  })
  await renderWithProviders(<VotablePoll poll={poll} />)
  return network
}

test('offers a new link for a pending vote', async () => {
  const { sent } = await renderPoll(false)
  expect(await screen.findByText(/^Your vote counts once you confirm your email/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Send a new link' }))
  await waitFor(() => expect(sent.some((line) => line.startsWith('POST /api/auth/email/resend'))).toBe(true))
})

test('says that another account of the mailbox has voted', async () => {
  await renderPoll(true)
  expect(await screen.findByText(/^Another account with your mailbox/)).toBeTruthy()
})

test('says nothing about a counted vote', async () => {
  await renderPoll(false, buildPoll({ userVote: { optionId: 'b', counted: true } }))
  await screen.findByText('You voted for this poll')
  expect(screen.queryByText(/counts once/)).toBeNull()
})
