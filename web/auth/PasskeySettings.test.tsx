import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
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
import { PasskeySettings } from './PasskeySettings'

const account = buildAccount()
const passkey = { id: 'key', name: 'Phone', createdAt: '2026-11-20T12:00:00Z', lastUsedAt: null }

test('retries a passkey removal after re-authentication', async () => {
  let isReauthenticated = false
  const { sent } = mockFetch({
    'GET /api/account': account,
    'GET /api/account/passkeys': [passkey],
    'POST /api/auth/confirm': () => {
      isReauthenticated = true
      return noContent()
    },
    'DELETE /api/account/passkeys/key': () =>
      isReauthenticated ? noContent() : errorResponse(403, 'recent_auth_required', 'Please confirm.'),
  })
  await renderWithProviders(
    <>
      <PasskeySettings />
      <Reauthentication />
    </>,
  )
  expect((await screen.findByRole('listitem')).textContent).toContain('Added Nov 20, 2026, not used yet')
  expect(screen.getByText('This browser cannot use passkeys.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Remove Phone' }))
  await screen.findByLabelText('Your password', undefined, { timeout: 5000 })
  changeField('Your password', 'four quiet gulls')
  submitForm('Your password')
  await waitFor(() => expect(toastText()).toBe('plain | Passkey removed | You can no longer log in with it.'))
  expect(sent.filter((request) => request.startsWith('DELETE'))).toHaveLength(2)
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
})

test('a reopened rename form shows no earlier error', async () => {
  let name = passkey.name
  const rename = vi.fn(() => {
    if (rename.mock.calls.length === 1) return errorResponse(409, 'conflict', 'Please try again.')
    name = 'Laptop'
    return Response.json({ ...passkey, name })
  })
  mockFetch({
    'GET /api/account': account,
    'GET /api/account/passkeys': () => Response.json([{ ...passkey, name }]),
    'PATCH /api/account/passkeys/key': rename,
  })
  await renderWithProviders(<PasskeySettings />)
  fireEvent.click(await screen.findByRole('button', { name: 'Rename Phone' }))
  changeField('Passkey name', 'Laptop')
  submitForm('Passkey name')
  expect(await screen.findByText('Please try again.')).toBeDefined()
  submitForm('Passkey name')
  fireEvent.click(await screen.findByRole('button', { name: 'Rename Laptop' }))
  expect(screen.queryByText('Please try again.')).toBeNull()
})
