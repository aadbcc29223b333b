import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { teamApi } from '../../worker/contract/admin'
import { call } from '../api/call'
import { Reauthentication } from '../layout/Reauthentication'
import { changeField, mockFetch, renderWithProviders, submitForm, toastText } from '../testing/render'
import { buildAccount } from '../testing/supporter.fixture'
import { DataSettings } from './DataSettings'

const noContent = () => new Response(null, { status: 204 })
const SESSION = { username: 'boss', expiresAt: '2026-07-02T16:00:00.000Z', secondsLeft: 86_400, teamRole: 'owner' }

async function removeMember({ enabled }: { enabled: boolean }) {
  let isConfirmed = false
  const { sent } = mockFetch({
    'GET /api/admin/second-factor': () => Response.json({ enabled, recoveryCodesLeft: 10 }),
    'POST /api/admin/confirm': () => {
      isConfirmed = true
      return Response.json(SESSION)
    },
    'DELETE /api/admin/administrators/7': () =>
      isConfirmed
        ? new Response(null, { status: 204 })
        : new Response('Please confirm.', { status: 403, headers: { 'x-error-code': 'recent_auth_required' } }),
  })
  await renderWithProviders(<Reauthentication />)
  const outcome = call(teamApi.remove, { id: '7' }).then(
    () => 'removed',
    (error: Error) => error.message,
  )
  await screen.findByLabelText('Your password', undefined, { timeout: 5000 })
  return { sent, outcome }
}

test('repeats the request after the password', async () => {
  const { sent, outcome } = await removeMember({ enabled: false })
  changeField('Your password', 'a long enough password')
  submitForm('Your password')
  expect(await outcome).toBe('removed')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
    'DELETE /api/admin/administrators/7',
    'POST /api/admin/confirm {"password":"a long enough password"}',
    'DELETE /api/admin/administrators/7',
  ])
})

test('asks for the code of a second factor', async () => {
  const { sent, outcome } = await removeMember({ enabled: true })
  const code = await screen.findByLabelText('Code of your authenticator app')
  changeField('Your password', 'a long enough password')
  submitForm('Your password')
  await waitFor(() => expect(screen.getAllByText('Please fill this in.')).toHaveLength(1))
  expect(code.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(code)
  changeField('Code of your authenticator app', '123456')
  submitForm('Your password')
  expect(await outcome).toBe('removed')
  expect(sent).toContain('POST /api/admin/confirm {"password":"a long enough password","code":"123456"}')
})

test('shows a required second factor at its field', async () => {
  let count = 0
  const { sent } = mockFetch({
    'GET /api/account': buildAccount(),
    'POST /api/auth/confirm': () =>
      count++ === 0
        ? new Response('Code, please.', { status: 401, headers: { 'x-error-code': 'second_factor_required' } })
        : noContent(),
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
  const code = await screen.findByLabelText('Code of your authenticator app')
  expect(code.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Code, please.')).toBeDefined()
  expect(screen.getByLabelText('Your password').getAttribute('aria-invalid')).toBeNull()
  changeField('Code of your authenticator app', '123456')
  submitForm('Your password')
  await waitFor(() => expect(toastText()).toContain('Account deleted'))
  expect(sent.filter((line) => !line.startsWith('GET'))).toEqual([
    'POST /api/auth/confirm {"password":"four quiet gulls"}',
    'POST /api/auth/confirm {"password":"four quiet gulls","secondFactorCode":"123456"}',
    'DELETE /api/account {}',
  ])
})

test('deletes nothing when cancelled', async () => {
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

test('fails with the first error when cancelled', async () => {
  const { outcome } = await removeMember({ enabled: false })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await outcome).toBe('403: Please confirm.')
})
