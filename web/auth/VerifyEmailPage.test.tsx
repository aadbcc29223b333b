import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newQueryClient } from '../query-client'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  submitForm,
} from '../testing/render'
import { buildSupporter } from '../testing/supporter.fixture'
import { sessionQuery } from './auth.queries'
import { VerifyEmailPage } from './VerifyEmailPage'

const me = buildSupporter({ username: 'ana', emailVerified: false })
const mission = {
  id: 'profile',
  title: 'Complete your profile',
  description: '',
  points: 25,
  action: 'profile_complete',
  progress: 0,
  target: 1,
  takenBack: false,
}
const PATH = '/verify-email?token=abc'

/** Renders the page and returns a function that lists the POST requests. */
async function open(responses: MockResponses, session: typeof me | null) {
  const { sent } = mockFetch(responses)
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  await renderWithProviders(<VerifyEmailPage />, { path: PATH, queryClient })
  return () => sent.filter((line) => line.startsWith('POST'))
}
const clickButton = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))

test('a logged-in supporter confirms with one press', async () => {
  let isVerified = false
  const posts = await open(
    {
      'POST /api/auth/email/verify': () => {
        isVerified = true
        return Response.json({ verified: true })
      },
      'GET /api/missions': () => Response.json([{ ...mission, completed: isVerified }]),
    },
    me,
  )
  await clickButton('Confirm my email')
  expect(await screen.findByRole('heading', { name: 'Email confirmed' })).toBeDefined()
  expect(screen.getByText('+25 for the mission “Complete your profile”')).toBeDefined()
  expect(posts()).toEqual(['POST /api/auth/email/verify {"token":"abc"}'])
})

test('a logged-out browser confirms with the password', async () => {
  const posts = await open({ 'POST /api/auth/email/verify': { verified: true } }, null)
  expect(document.body.textContent).not.toContain('ana')
  changeField('Your password', 'seven golden lanterns')
  await act(async () => void submitForm('Your password'))
  expect(await screen.findByRole('link', { name: 'Log in' })).toBeDefined()
  expect(posts()).toEqual(['POST /api/auth/email/verify {"token":"abc","password":"seven golden lanterns"}'])
})

test('a supporter logged in to another account needs the password', async () => {
  await open({ 'POST /api/auth/email/verify': () => errorResponse(401, 'password_required', 'No.') }, me)
  await clickButton('Confirm my email')
  expect(await screen.findByText(/You are logged in to another account/)).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('shows a wrong password’s error at its field', async () => {
  await open({ 'POST /api/auth/email/verify': () => errorResponse(401, 'bad_credentials', 'No.') }, null)
  changeField('Your password', 'wrong')
  await act(async () => void submitForm('Your password'))
  expect(await screen.findByText('That password is not right.')).toBeDefined()
})

test('the recipient deletes what a stranger made with their address', async () => {
  const posts = await open({ 'POST /api/auth/email/not-me': noContent }, null)
  await clickButton('This was not me')
  expect(posts()).toEqual([])
  await clickButton('Delete it')
  expect(await screen.findByRole('heading', { name: 'Done' })).toBeDefined()
  expect(posts()).toEqual(['POST /api/auth/email/not-me {"token":"abc"}'])
})
