import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { AdminLoginForm } from './AdminLoginPage'

const SESSION = { username: 'boss', expiresAt: '2026-07-02T16:00:00.000Z', secondsLeft: 86_400, teamRole: 'owner' }
const errorResponse = (code: string, status: number, message: string) => () =>
  new Response(message, { status, headers: { 'x-error-code': code } })
const toast = () => screen.getByTestId('toast').textContent
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const submit = () => fireEvent.submit(screen.getByLabelText('Username').closest('form')!)

/** Renders the form with a name and password; each login gets the next response. */
async function renderForm(...responses: (() => Response)[]) {
  const { sent } = mockFetch({ 'POST /api/admin/login': () => (responses.shift() ?? (() => Response.json(SESSION)))() })
  const { router } = await renderWithProviders(<AdminLoginForm />, { path: '/admin-login' })
  type('Username', 'boss')
  type('Password', 'a long enough password')
  return { router, sent }
}

test('logs in and opens the dashboard', async () => {
  const { router } = await renderForm()
  submit()
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
  expect(toast()).toBe('plain | Login Successful | The desk is yours for 24 hours.')
})

test.each([
  ['bad_credentials', 401, 'Invalid username or password'],
  ['rate_limited', 429, 'Too many tries. Please wait a few minutes.'],
])('shows %s in a toast and at the password', async (code, status, message) => {
  await renderForm(errorResponse(code, status, message))
  submit()
  await waitFor(() => expect(toast()).toBe(`destructive | Login Failed | ${message}`))
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true')
})

test('does not send an empty form', async () => {
  const { sent } = await renderForm()
  type('Username', ' ')
  submit()
  expect([toast(), sent]).toEqual(['destructive | Login Failed | Invalid username or password', []])
})

test('sends the second factor with the password', async () => {
  const { router, sent } = await renderForm(
    errorResponse('second_factor_required', 401, 'Please enter the code of your authenticator app.'),
    errorResponse('bad_credentials', 401, 'That code is not right.'),
  )
  submit()
  const code = await screen.findByLabelText('Code')
  expect([document.activeElement === code, code.getAttribute('aria-invalid')]).toEqual([true, null])
  submit()
  expect(toast()).toBe('destructive | Login Failed | Please enter the code of your authenticator app.')
  type('Code', '000000')
  submit()
  await waitFor(() => expect(toast()).toBe('destructive | Login Failed | That code is not right.'))
  expect(code.getAttribute('aria-invalid')).toBe('true')
  type('Code', '287082')
  submit()
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
  expect(sent.map((line) => line.replace('POST /api/admin/login ', '')).map((body) => JSON.parse(body).code)).toEqual([
    undefined,
    '000000',
    '287082',
  ])
})

test('goes back from the code to another account', async () => {
  await renderForm(errorResponse('second_factor_required', 401, 'Please enter the code of your authenticator app.'))
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Another account' }))
  expect(screen.queryByLabelText('Code')).toBe(null)
  expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('')
})
