import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
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
import { EmailSettings } from './EmailSettings'
import { UndoEmailChangePage } from './UndoEmailChangePage'

const account = buildAccount()
const clickButton = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))

test('requests an emailed link for a valid new address', async () => {
  const { sent } = mockFetch({ 'POST /api/account/email': () => new Response(null, { status: 202 }) })
  await renderWithProviders(<EmailSettings account={account} />)
  await clickButton('Change email')
  changeField('New email', 'not an address')
  await act(async () => void submitForm('New email'))
  expect(screen.getByText('Please enter a valid email address.')).toBeDefined()
  changeField('New email', 'new@fan.example')
  await act(async () => void submitForm('New email'))
  expect(sent).toContain('POST /api/account/email {"email":"new@fan.example"}')
  expect(toastText()).toContain('Open the link we emailed to new@fan.example')
})

test('shows a pending address', async () => {
  await renderWithProviders(<EmailSettings account={{ ...account, pendingEmail: 'new@fan.example' }} />)
  expect(screen.getByText('new@fan.example')).toBeDefined()
})

test('undoing a change asks an administrator for the second factor', async () => {
  const errors = [errorResponse(401, 'second_factor_required', 'Code, please.')]
  const { sent } = mockFetch({
    'POST /api/auth/email/undo': () => errors.shift() ?? noContent(),
  })
  await renderWithProviders(<UndoEmailChangePage />, { path: '/undo-email-change?token=abc' })
  await clickButton('Undo the change')
  await screen.findByText('Code, please.')
  changeField('Code from your authenticator app', '123456')
  await clickButton('Undo the change')
  expect(await screen.findByRole('heading', { name: 'Your address is back' })).toBeDefined()
  expect(sent.at(-1)).toContain('{"token":"abc","secondFactorCode":"123456"}')
})
