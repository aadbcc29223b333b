import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type AdminSession, teamApi } from '../../worker/contract/admin'
import { call } from '../api/call'
import { Reauthentication } from '../layout/Reauthentication'
import { buildAdminSession } from '../testing/admin-session.fixture'
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
import { DataSettings } from './DataSettings'

const MINUTE_MS = 60_000
const EMAILED_CODE_LABEL = 'Six-digit code from our email'

/** Removes a team member, which opens the dialog. `result` resolves to 'removed' or the message of the error. */
async function removeTeamMember({
  secondFactor = false,
  ...session
}: { secondFactor?: boolean } & Partial<AdminSession> = {}) {
  let isReauthenticated = false
  const { sent } = mockFetch({
    'GET /api/admin/second-factor': () => Response.json({ enabled: secondFactor, recoveryCodesLeft: 10 }),
    'GET /api/admin/session': buildAdminSession({ google: true, ...session }),
    'POST /api/admin/confirm/code': () => new Response(null, { status: 202 }),
    'POST /api/admin/confirm': () => {
      isReauthenticated = true
      return Response.json(buildAdminSession(session))
    },
    'DELETE /api/admin/administrators/7': () =>
      isReauthenticated ? noContent() : errorResponse(403, 'recent_auth_required', 'Please confirm.'),
  })
  await renderWithProviders(<Reauthentication />)
  const result = call(teamApi.remove, { id: '7' }).then(
    () => 'removed',
    (error: Error) => error.message,
  )
  await screen.findByRole('button', { name: 'Cancel' }, { timeout: 5000 })
  return { sent, result }
}

test('retries the request after the password is entered', async () => {
  const { sent, result } = await removeTeamMember()
  changeField('Your password', 'a long enough password')
  submitForm('Your password')
  expect(await result).toBe('removed')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
    'DELETE /api/admin/administrators/7',
    'POST /api/admin/confirm {"password":"a long enough password"}',
    'DELETE /api/admin/administrators/7',
  ])
})

test('asks for the code of a second factor', async () => {
  const { sent, result } = await removeTeamMember({ secondFactor: true })
  const code = await screen.findByLabelText('Code from your authenticator app')
  changeField('Your password', 'a long enough password')
  submitForm('Your password')
  await waitFor(() => expect(screen.getAllByText('Please fill this in.')).toHaveLength(1))
  expect(code.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(code)
  changeField('Code from your authenticator app', '123456')
  submitForm('Your password')
  expect(await result).toBe('removed')
  expect(sent).toContain('POST /api/admin/confirm {"password":"a long enough password","code":"123456"}')
})

test('shows a required second factor at its field', async () => {
  const errors = [errorResponse(401, 'second_factor_required', 'Code, please.')]
  const { sent } = mockFetch({
    'GET /api/account': buildAccount(),
    'POST /api/auth/confirm': () => errors.shift() ?? noContent(),
    'DELETE /api/account': noContent,
  })
  await renderWithProviders(
    <>
      <DataSettings />
      <Reauthentication />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  await screen.findByLabelText('Your password', undefined, { timeout: 5000 })
  changeField('Your password', 'four quiet gulls')
  submitForm('Your password')
  const code = await screen.findByLabelText('Code from your authenticator app')
  expect(code.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Code, please.')).toBeDefined()
  expect(screen.getByLabelText('Your password').getAttribute('aria-invalid')).toBeNull()
  changeField('Code from your authenticator app', '123456')
  submitForm('Your password')
  await waitFor(() => expect(toastText()).toContain('Account deleted'))
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /api/auth/confirm {"password":"four quiet gulls"}',
    'POST /api/auth/confirm {"password":"four quiet gulls","secondFactorCode":"123456"}',
    'DELETE /api/account {}',
  ])
})

test('deletes nothing when canceled', async () => {
  const { sent } = mockFetch({ 'GET /api/account': buildAccount() })
  await renderWithProviders(
    <>
      <DataSettings />
      <Reauthentication />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }, { timeout: 5000 }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual(['GET /api/account'])
})

test('offers Google to an administrator with a linked Google account', async () => {
  const { result } = await removeTeamMember()
  const link = screen.getByRole('link', { name: 'Log in with Google again instead' })
  expect(link.getAttribute('href')).toBe('/api/auth/google?for=admin&return=%2F')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await result
})

test('without a password, offers Google and choosing a password', async () => {
  const { result } = await removeTeamMember({ hasPassword: false })
  expect(screen.getByRole('link', { name: 'Log in with Google again' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Or choose a password' })).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByRole('button', { name: /six digits|Confirm/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await result
})

test('deletes an account after a recent Google sign-in', async () => {
  const provenUntil = new Date(Date.now() + MINUTE_MS).toISOString()
  const { sent } = mockFetch({
    'GET /api/account': buildAccount({ hasPassword: false, google: true, provenUntil }),
    'DELETE /api/account': noContent,
  })
  await renderWithProviders(
    <>
      <DataSettings />
      <Reauthentication />
    </>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Delete for good' }, { timeout: 5000 }))
  await waitFor(() => expect(toastText()).toContain('Account deleted'))
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual(['DELETE /api/account {}'])
})

test('emails a code to a team member without another credential', async () => {
  const { sent, result } = await removeTeamMember({ hasPassword: false, google: false, emailedCode: true })
  expect(screen.queryByLabelText('Your password')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Email me a code' }))
  await waitFor(() => expect(toastText()).toMatch(/Email sent/))
  changeField(EMAILED_CODE_LABEL, '123456')
  submitForm(EMAILED_CODE_LABEL)
  expect(await result).toBe('removed')
  expect(sent.filter((line) => line.includes('/confirm'))).toEqual([
    'POST /api/admin/confirm/code',
    'POST /api/admin/confirm {"emailedCode":"123456"}',
  ])
})

test('a call fails with its original error after a cancel', async () => {
  const { result } = await removeTeamMember()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await result).toBe('403: Please confirm.')
})
