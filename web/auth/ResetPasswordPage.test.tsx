import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newQueryClient } from '../query-client'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  renderWithProviders,
  submitForm,
  toastText,
} from '../testing/render'
import { ResetPasswordPage } from './ResetPasswordPage'

const submit = async (label: string) => act(async () => void submitForm(label))

async function open(path: string, responses: MockResponses = {}) {
  const { sent } = mockFetch(responses)
  const { router } = await renderWithProviders(<ResetPasswordPage />, { path, queryClient: newQueryClient() })
  return { router, sent }
}
async function submitNewPassword(password: string, confirmation = password) {
  changeField('New password', password)
  changeField('Confirm new password', confirmation)
  await submit('New password')
}

test('does not request an email for an invalid address', async () => {
  const { sent } = await open('/reset-password')
  changeField('Email', 'not an address')
  await submit('Email')
  expect([toastText(), sent]).toEqual(['destructive | Invalid email | Please enter a valid email address.', []])
})

test('keeps the address after a failed request', async () => {
  await open('/reset-password', {
    'POST /api/auth/password/forgot': () => new Response('Please wait a minute.', { status: 429 }),
  })
  changeField('Email', 'ana@fan.example')
  await submit('Email')
  await waitFor(() => expect(toastText()).toBe('destructive | Email not sent | 429: Please wait a minute.'))
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('ana@fan.example')
})

test('does not send two different passwords', async () => {
  const { sent } = await open('/reset-password?token=abc')
  await submitNewPassword('eleven paper boats', 'twelve paper boats')
  expect([toastText(), sent]).toEqual(["destructive | Password mismatch | Passwords don't match!", []])
})

test('an expired link offers to request a new one', async () => {
  const { sent } = await open('/reset-password?token=abc', {
    'POST /api/auth/password/reset': () => errorResponse(400, 'bad_token', 'This link does not work any more.'),
    'POST /api/auth/password/forgot': () => new Response(null, { status: 202 }),
  })
  await submitNewPassword('eleven paper boats')
  expect((await screen.findByRole('alert')).textContent).toContain('That link no longer works')
  changeField('Email', 'ana@fan.example')
  await submit('Email')
  expect((await screen.findByRole('status')).textContent).toContain('an email with a link is on its way')
  expect(sent.at(-1)).toBe('POST /api/auth/password/forgot {"email":"ana@fan.example"}')
})
