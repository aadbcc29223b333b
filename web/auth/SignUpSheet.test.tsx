import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { SignUpPrompt } from '../layout/RootLayout'
import { VotablePoll } from '../polls/VotablePoll'
import { buildPoll } from '../testing/poll.fixture'
import {
  changeField,
  type MockResponses,
  mockFetch,
  renderWithProviders,
  submitForm,
  toastText,
} from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { buildTrack } from '../testing/track.fixture'
import { LikeButton } from '../tracks/LikeButton'
import { AuthPage } from './AuthPage'
import { sessionQuery } from './auth.queries'
import { dropPendingChoice, hideSignUpSheet, PENDING_CHOICE_TTL_MS, requestSignUp } from './pending-choice'

beforeEach(dropPendingChoice)

const newcomer = buildSupporter({ username: 'ana', email: 'ana@fan.example', emailVerified: false, points: 0 })
const signUpResponse = () => Response.json({ ...newcomer, emailSent: true }, { status: 201 })
const award = { pointsAwarded: 10, totalPoints: 30, missions: [{ id: 'first', title: 'First vote', points: 20 }] }
const visitorResponses: MockResponses = {
  'GET /api/auth/status': null,
  'POST /api/polls/opener/vote': () => new Response('Please log in.', { status: 401 }),
}

async function open(responses: MockResponses) {
  const network = mockFetch({ ...visitorResponses, ...responses })
  const view = await renderWithProviders(
    <main id="content" tabIndex={-1}>
      <VotablePoll poll={buildPoll()} />
      <LikeButton track={buildTrack()} className="" />
      <SignUpPrompt />
    </main>,
  )
  await waitFor(() => expect(view.queryClient.getQueryData(sessionQuery.queryKey)).toBeNull())
  return { ...network, ...view }
}
const getOption = () => screen.getByRole('button', { name: 'The loud one', hidden: true })
const findSheet = () => screen.findByRole('dialog', { name: 'Sign up to make it count' }, { timeout: 5000 })
const signUp = () => {
  changeField('Username', 'ana')
  changeField('Email', 'ana@fan.example')
  changeField('Phone number', '8135550123')
  changeField('Password', 'seven golden lanterns')
  changeField('Confirm password', 'seven golden lanterns')
  submitForm('Email')
}

test('casts the chosen vote after the sign-up', async () => {
  await open({ 'POST /api/auth/signup': signUpResponse })
  fireEvent.click(getOption())
  await waitFor(() => expect(toastText()).toBe('destructive | Login required | Please sign up or login to vote'))
  expect((await findSheet()).textContent).toContain('Your vote for “The loud one” is waiting.')
  expect([getOption().hasAttribute('data-chosen'), screen.queryByText('You voted for this poll')]).toEqual([
    false,
    null,
  ])
  const voted = { 'POST /api/polls/opener/vote': { ...award, counted: false }, 'GET /api/auth/status': newcomer }
  const { sent } = mockFetch({ ...voted, 'POST /api/auth/signup': signUpResponse })
  signUp()
  expect(await screen.findByRole('dialog', { name: 'You’re in, ana' })).toBeDefined()
  expect(await screen.findByText('We saved your vote for “The loud one”.')).toBeDefined()
  expect(screen.getByText('ana@fan.example').tagName).toBe('STRONG')
  expect(toastText()).toBe(
    'plain | Vote submitted! | +10 points earned and +20 for the mission “First vote”. It counts once you confirm ana@fan.example.',
  )
  expect(sent).toContain('POST /api/polls/opener/vote {"optionId":"b"}')
  fireEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article')))
})

test('completes a like after a login on the login page', async () => {
  const { unmount } = await open({})
  fireEvent.click(screen.getByRole('button', { name: 'Like First Light' }))
  await findSheet()
  act(hideSignUpSheet)
  unmount()
  const me = buildSupporter()
  const { sent } = mockFetch({
    'GET /api/auth/status': null,
    'POST /api/auth/login': me,
    'POST /api/tracks/1/like': { likes: 3, liked: true, pointsAwarded: 5, totalPoints: 1245, missions: [] },
  })
  await renderWithProviders(
    <>
      <AuthPage />
      <SignUpPrompt />
    </>,
    { path: '/login' },
  )
  expect(await screen.findByText(/“First Light” goes to your favorites/)).toBeDefined()
  changeField('Username or email', 'silver_sam')
  changeField('Password', 'seven golden lanterns')
  submitForm('Password')
  await waitFor(() => expect(toastText()).toBe('plain | Liked! | Track added to your favorites. +5 points earned'))
  expect(sent.filter((line) => line.includes('like'))).toEqual(['POST /api/tracks/1/like'])
  expect(sessionStorage.getItem('pending-choice')).toBeNull()
})

test('says in the sheet that no link was sent', async () => {
  await open({})
  fireEvent.click(screen.getByRole('button', { name: 'Like First Light' }))
  await findSheet()
  mockFetch({
    ...visitorResponses,
    'POST /api/auth/signup': () => Response.json({ ...newcomer, emailSent: false }, { status: 201 }),
    'POST /api/auth/email/resend': () => new Response('Try again tomorrow.', { status: 429 }),
  })
  signUp()
  const sheet = await screen.findByRole('dialog', { name: 'You’re in, ana' })
  expect(sheet.textContent).toContain(
    'We could not send a link to ana@fan.example. Request one on your account page to confirm your email.',
  )
})

test('drops the choice and returns the focus on Escape', async () => {
  await open({})
  const like = screen.getByRole('button', { name: 'Like First Light' })
  like.focus()
  fireEvent.click(like)
  fireEvent.keyDown(await findSheet(), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(like))
  expect(sessionStorage.getItem('pending-choice')).toBeNull()
})

test('says that the chosen vote could not be saved', async () => {
  await open({
    'POST /api/polls/opener/vote': () => new Response('This poll has closed.', { status: 410 }),
  })
  act(() => requestSignUp({ kind: 'vote', pollId: 'opener', optionId: 'b', title: 'The loud one' }))
  await findSheet()
  mockFetch({
    'POST /api/auth/signup': signUpResponse,
    'POST /api/polls/opener/vote': () => new Response('This poll has closed.', { status: 410 }),
  })
  signUp()
  expect(await screen.findByText(/your choice could not be saved/)).toBeDefined()
  expect(toastText()).toBe('destructive | Vote failed | 410: This poll has closed.')
})

test('restores a choice after a reload within 30 minutes', async () => {
  requestSignUp({ kind: 'like', trackId: 1, title: 'First Light' })
  const saved = sessionStorage.getItem('pending-choice')!
  vi.resetModules()
  const reloaded = await import('./pending-choice')
  expect(reloaded.takePendingChoice()).toEqual({ kind: 'like', trackId: 1, title: 'First Light' })
  const old = { ...JSON.parse(saved), savedAt: Date.now() - PENDING_CHOICE_TTL_MS }
  sessionStorage.setItem('pending-choice', JSON.stringify(old))
  vi.resetModules()
  expect((await import('./pending-choice')).takePendingChoice()).toBeNull()
})

test('completes no choice that is older than 30 minutes', async () => {
  const { queryClient } = await open({})
  act(() => requestSignUp({ kind: 'vote', pollId: 'opener', optionId: 'b', title: 'The loud one' }))
  await findSheet()
  act(hideSignUpSheet)
  const { sent } = mockFetch(visitorResponses)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + PENDING_CHOICE_TTL_MS)
  await act(async () => void queryClient.setQueryData(sessionQuery.queryKey, buildSupporter()))
  await waitFor(() => expect(sessionStorage.getItem('pending-choice')).toBeNull())
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('says in an open sheet that the choice has expired', async () => {
  const { queryClient } = await open({})
  fireEvent.click(screen.getByRole('button', { name: 'Like First Light' }))
  await findSheet()
  const { sent } = mockFetch(visitorResponses)
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + PENDING_CHOICE_TTL_MS)
  await act(async () => void queryClient.setQueryData(sessionQuery.queryKey, buildSupporter()))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(toastText()).toBe('destructive | Your choice has expired | You’re logged in now. Please vote or like again.')
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('hides an expired choice on the login page', async () => {
  requestSignUp({ kind: 'like', trackId: 1, title: 'First Light' })
  hideSignUpSheet()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + PENDING_CHOICE_TTL_MS)
  mockFetch(visitorResponses)
  await renderWithProviders(<AuthPage />, { path: '/login' })
  expect(await screen.findByLabelText('Username or email')).toBeDefined()
  expect(screen.queryByText(/First Light/)).toBeNull()
})

test('shows nothing of the previous supporter after a logout', async () => {
  const { queryClient } = await open({})
  fireEvent.click(screen.getByRole('button', { name: 'Like First Light' }))
  await findSheet()
  mockFetch({ ...visitorResponses, 'POST /api/auth/signup': signUpResponse })
  signUp()
  await screen.findByRole('dialog', { name: 'You’re in, ana' })
  // The browser's Back button hides the sheet, too.
  act(hideSignUpSheet)
  await act(async () => {
    queryClient.setQueryData(sessionQuery.queryKey, null)
    // Queries notify their components in a timeout.
    await new Promise((resolve) => setTimeout(resolve))
  })
  fireEvent.click(screen.getByRole('button', { name: 'Like First Light' }))
  expect(await findSheet()).toBeDefined()
  expect(screen.queryByText('ana@fan.example')).toBeNull()
})
