import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildPoll } from '../testing/poll.fixture'
import { mockFetch, noContent, renderWithProviders, toastText } from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { activePolls, invalidatePolls, useActivePolls } from './polls.queries'
import { VotablePoll } from './VotablePoll'

const POLL_WITH_UNCOUNTED_VOTE = buildPoll({ userVote: { optionId: 'b', counted: false } })
async function renderPoll(emailVerified: boolean, poll = POLL_WITH_UNCOUNTED_VOTE) {
  const network = mockFetch({
    'GET /api/auth/status': buildSupporter({ emailVerified }),
    'POST /api/auth/email/resend': () => new Response(null, { status: 202 }),
  })
  await renderWithProviders(<VotablePoll poll={poll} />)
  return network
}

function FirstActivePoll() {
  const [firstPoll] = useActivePolls().data ?? []
  return firstPoll && <VotablePoll poll={firstPoll} />
}

test('offers a new link for a pending vote', async () => {
  const { sent } = await renderPoll(false)
  expect(await screen.findByText(/^Your vote counts once you confirm your email/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Send a new link' }))
  await waitFor(() => expect(sent.some((request) => request.startsWith('POST /api/auth/email/resend'))).toBe(true))
})

test('shows a vote as counted after confirmation in another tab', async () => {
  let emailVerified = false
  const poll = () => buildPoll({ userVote: { optionId: 'b', counted: emailVerified } })
  mockFetch({
    'GET /api/auth/status': () => Response.json(buildSupporter({ emailVerified })),
    // Responds after the session has been rendered.
    'GET /api/polls/active': () => new Promise((resolve) => setTimeout(resolve, 20, Response.json([poll()]))),
  })
  // Records every rendered text: the session loads first, but must not make the vote look like another account's.
  const texts: (string | null)[] = []
  const observer = new MutationObserver(() => texts.push(document.body.textContent))
  await renderWithProviders(<FirstActivePoll />)
  expect(await screen.findByText(/^Your vote counts once you confirm your email/)).toBeTruthy()
  observer.observe(document.body, { childList: true, subtree: true })
  emailVerified = true
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(screen.queryByText(/counts once/)).toBeNull())
  await screen.findByText('You voted for this poll')
  observer.disconnect()
  expect(texts.filter((text) => text?.includes('Another account'))).toEqual([])
})

test('says that another account of the mailbox has voted', async () => {
  await renderPoll(true)
  expect(await screen.findByText(/^Another account with your mailbox/)).toBeTruthy()
})

test('shows no notice below a counted vote', async () => {
  await renderPoll(false, buildPoll({ userVote: { optionId: 'b', counted: true } }))
  await screen.findByText('You voted for this poll')
  expect(screen.queryByText(/counts once/)).toBeNull()
})

test('an outdated response does not hide a newer vote', async () => {
  const outdatedResponse = Promise.withResolvers<Response>()
  const responseBeforeVote = () => Response.json([buildPoll()])
  const responses: (Response | Promise<Response>)[] = [
    responseBeforeVote(),
    outdatedResponse.promise,
    Response.json([buildPoll({ userVote: { optionId: 'b', counted: true } })]),
  ]
  mockFetch({
    'GET /api/auth/status': buildSupporter(),
    'GET /api/polls/active': () => responses.shift() ?? noContent(),
    'POST /api/polls/opener/vote': { pointsAwarded: 10, totalPoints: 60, counted: true, missions: [] },
  })
  const { queryClient } = await renderWithProviders(<FirstActivePoll />)
  const option = await screen.findByRole('button', { name: 'The loud one' })
  const refetched = invalidatePolls(queryClient)
  fireEvent.click(option)
  await waitFor(() => expect(toastText()).toContain('Vote submitted!'))
  outdatedResponse.resolve(responseBeforeVote())
  await refetched
  expect(queryClient.getQueryData(activePolls.queryKey)?.[0]?.userVote?.optionId).toBe('b')
})
