import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mockFetch, renderWithProviders } from '../testing/render'
import { AdminLoginForm } from './AdminLoginPage'

const SESSION = { username: 'boss', expiresAt: '2026-07-02T16:00:00.000Z', secondsLeft: 86_400 }
const refused = (code: string, status: number, sentence: string) => () =>
  new Response(sentence, { status, headers: { 'x-error-code': code } })
const toast = () => screen.getByTestId('toast').textContent
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const submit = () => fireEvent.submit(screen.getByLabelText('Username').closest('form')!)

/** The form, filled in, before a server that answers each log-in with the next of these. */
async function door(...answers: (() => Response)[]) {
  const { sent } = mockFetch({ 'POST /api/admin/login': () => (answers.shift() ?? (() => Response.json(SESSION)))() })
  const { router } = await renderWithProviders(<AdminLoginForm />, { path: '/admin-login' })
  type('Username', 'boss')
  type('Password', 'a long enough password')
  return { router, sent }
}

test('the right password opens the desk', async () => {
  const { router } = await door()
  submit()
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
  expect(toast()).toBe('plain | Login Successful | The desk is yours for 24 hours.')
})

test.each([
  ['bad_credentials', 401, 'Invalid username or password'],
  ['rate_limited', 429, 'Too many tries. Please wait a few minutes.'],
])('the refusal %s is told, and stands beside the password', async (code, status, sentence) => {
  await door(refused(code, status, sentence))
  submit()
  await waitFor(() => expect(toast()).toBe(`destructive | Login Failed | ${sentence}`))
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true')
})

test('an empty form is not sent', async () => {
  const { sent } = await door()
  type('Username', ' ')
  submit()
  expect([toast(), sent]).toEqual(['destructive | Login Failed | Invalid username or password', []])
})

test('with a second factor the code is asked for, and sent along with the password', async () => {
  const { router, sent } = await door(
    refused('second_factor_required', 401, 'Please enter the code of your authenticator app.'),
    refused('bad_credentials', 401, 'That code is not right.'),
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

test('from the code one can go back to another account', async () => {
  await door(refused('second_factor_required', 401, 'Please enter the code of your authenticator app.'))
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Another account' }))
  expect(screen.queryByLabelText('Code')).toBe(null)
  expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('')
})
