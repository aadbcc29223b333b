import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { buildAdminSession } from '../testing/admin-session.fixture'
import { changeField, errorResponse, mockFetch, renderWithProviders, submitForm, toastText } from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { AdminLoginForm } from './AdminLoginPage'

const SESSION = buildAdminSession()
const postRequests = (sent: string[]) => sent.filter((request) => request.startsWith('POST'))
const submit = () => submitForm('Username')
const codeRequired = () =>
  errorResponse(401, 'second_factor_required', 'Please enter the code of your authenticator app.')

/** Renders the form and fills it in. Logins fail with these errors in order, then succeed. */
async function renderForm(...errors: Response[]) {
  const { sent } = mockFetch({ 'POST /api/admin/login': () => errors.shift() ?? Response.json(SESSION) })
  const { router } = await renderWithProviders(<AdminLoginForm />, { path: '/admin-login' })
  changeField('Username', 'boss')
  changeField('Password', 'a long enough password')
  return { router, sent }
}

test('logs in and opens the dashboard', async () => {
  const { router } = await renderForm()
  submit()
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
  expect(toastText()).toBe('plain | Login Successful | You’re logged in for 24 hours.')
})

test.each([
  ['bad_credentials', 401, 'Invalid username or password'],
  ['rate_limited', 429, 'Too many tries. Please wait a few minutes.'],
])('toasts the error %s and marks the password', async (code, status, message) => {
  await renderForm(errorResponse(status, code, message))
  submit()
  await waitFor(() => expect(toastText()).toBe(`destructive | Login Failed | ${message}`))
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true')
})

test('does not send an empty form', async () => {
  const { sent } = await renderForm()
  changeField('Username', ' ')
  submit()
  expect([toastText(), postRequests(sent)]).toEqual(['destructive | Login Failed | Invalid username or password', []])
})

test('sends the second factor with the password', async () => {
  const { router, sent } = await renderForm(
    codeRequired(),
    errorResponse(401, 'bad_credentials', 'That code is not right.'),
  )
  submit()
  const code = await screen.findByLabelText('Code')
  expect([document.activeElement === code, code.getAttribute('aria-invalid')]).toEqual([true, null])
  submit()
  expect(toastText()).toBe('destructive | Login Failed | Please enter the code of your authenticator app.')
  changeField('Code', '000000')
  submit()
  await waitFor(() => expect(toastText()).toBe('destructive | Login Failed | That code is not right.'))
  expect(code.getAttribute('aria-invalid')).toBe('true')
  changeField('Code', '287082')
  submit()
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
  const bodies = postRequests(sent).map((request) => JSON.parse(request.replace('POST /api/admin/login ', '')))
  expect(bodies.map(({ code }) => code)).toEqual([undefined, '000000', '287082'])
})

test('leaves the code step to log in to another account', async () => {
  await renderForm(codeRequired())
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Another account' }))
  expect(screen.queryByLabelText('Code')).toBe(null)
  expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('')
})

/** Renders the form after the return from Google. Logins fail with these errors in order, then succeed. */
async function renderAfterGoogle(...errors: Response[]) {
  const { sent } = mockFetch({ 'POST /api/admin/login/google': () => errors.shift() ?? Response.json(SESSION) })
  const path = '/admin-login?google=confirmed&return=%2Fadmin%2Forders'
  const { router, queryClient } = await renderWithProviders(<AdminLoginForm />, { path })
  return { router, sent, queryClient }
}

test('opens the dashboard after Google', async () => {
  const { router } = await renderAfterGoogle()
  await waitFor(() => expect(router.state.location.href).toBe('/admin/orders'))
  expect(toastText()).toBe('plain | Login Successful | You’re logged in for 24 hours.')
})

test('asks for the second factor after Google', async () => {
  const { router, sent } = await renderAfterGoogle(codeRequired())
  changeField('Code', '123456')
  submitForm('Code')
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/orders'))
  expect(postRequests(sent)).toEqual([
    'POST /api/admin/login/google {}',
    'POST /api/admin/login/google {"code":"123456"}',
  ])
})

test('offers Google again when its sign-in expired before the code', async () => {
  const expired = errorResponse(400, 'bad_token', 'Your Google sign-in has expired. Please continue with Google again.')
  const { queryClient } = await renderAfterGoogle(codeRequired(), expired)
  queryClient.setQueryData(['config'], buildSite({ google: true }))
  changeField('Code', '123456')
  submitForm('Code')
  expect((await screen.findByRole('alert')).textContent).toContain('has expired')
  expect(screen.queryByLabelText('Code')).toBe(null)
  const google = await screen.findByRole('link', { name: 'Continue with Google' })
  expect(google.getAttribute('href')).toBe('/api/auth/google?for=admin&return=%2Fadmin%2Forders')
  fireEvent.click(screen.getByRole('button', { name: 'Another account' }))
  expect(screen.getByRole('button', { name: 'Login' })).toBeTruthy()
})

test('shows the password form when Google fails', async () => {
  await renderAfterGoogle(errorResponse(401, 'bad_credentials', 'That sign-in with Google is over.'))
  await waitFor(() => expect(toastText()).toBe('destructive | Login Failed | That sign-in with Google is over.'))
  expect(screen.getByLabelText('Username')).toBeTruthy()
})
