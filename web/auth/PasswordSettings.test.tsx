import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Reauthentication } from '../layout/Reauthentication'
import {
  changeField,
  errorResponse,
  mockFetch,
  noContent,
  renderWithProviders,
  submitForm,
  toastText,
} from '../testing/render'
import { buildAccount } from '../testing/supporter.fixture'
import { PasswordSettings } from './PasswordSettings'

const account = buildAccount({ hasPassword: false, emailedCode: true })
const submit = async (label: string) => act(async () => void submitForm(label))

test('sets a first password after re-authentication by emailed code', async () => {
  let isReauthenticated = false
  const { sent } = mockFetch({
    'POST /api/auth/password/change': () =>
      isReauthenticated ? noContent() : errorResponse(403, 'recent_auth_required', 'Please confirm.'),
    'GET /api/account': account,
    'POST /api/auth/confirm/code': () => new Response(null, { status: 202 }),
    'POST /api/auth/confirm': () => {
      isReauthenticated = true
      return noContent()
    },
  })
  await renderWithProviders(
    <>
      <PasswordSettings account={account} />
      <Reauthentication />
    </>,
  )
  changeField('New password', 'eleven paper boats')
  changeField('Confirm new password', 'eleven paper boats')
  await submit('New password')
  fireEvent.click(await screen.findByRole('button', { name: 'Email me a code' }, { timeout: 5000 }))
  changeField('Six-digit code from our email', '123456')
  await submit('Six-digit code from our email')
  await waitFor(() =>
    expect(toastText()).toBe('plain | Password changed | You were logged out on all your other devices.'),
  )
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([
    'POST /api/auth/password/change {"password":"eleven paper boats"}',
    'POST /api/auth/confirm/code',
    'POST /api/auth/confirm {"code":"123456"}',
    'POST /api/auth/password/change {"password":"eleven paper boats"}',
  ])
})

test.each([
  ['New password', 'bad_input', 400],
  ['Current password', 'bad_credentials', 401],
])('shows an error under %s for %s', async (label, code, status) => {
  mockFetch({ 'POST /api/auth/password/change': () => errorResponse(status, code, 'Please choose another.') })
  await renderWithProviders(<PasswordSettings account={buildAccount()} />)
  changeField('Current password', 'four quiet gulls')
  changeField('New password', 'eleven paper boats')
  changeField('Confirm new password', 'eleven paper boats')
  await submit('New password')
  await waitFor(() => expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getAllByText('Please choose another.')).toHaveLength(1)
})
