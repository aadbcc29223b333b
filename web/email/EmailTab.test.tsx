import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AdminEmail } from '../../worker/contract/email'
import { type MockResponses, mockFetch, noContent, renderWithProviders, toastText } from '../testing/render'
import { EmailTab } from './EmailTab'

const buildEmail = (state: AdminEmail['state'], changes: Partial<AdminEmail> = {}): AdminEmail => ({
  id: state,
  to: 'f…@mail.example',
  kind: 'verify',
  subject: `Email ${state}`,
  state,
  attempts: 1,
  lastError: null,
  createdAt: '2026-07-01T16:00:00Z',
  sentAt: null,
  dueAt: null,
  ...changes,
})
const emails = [
  buildEmail('sent', { sentAt: '2026-07-01T16:00:05Z' }),
  buildEmail('waiting', { attempts: 3, lastError: '503', dueAt: '2026-07-01T16:04:00Z' }),
  buildEmail('failed', { lastError: 'E_RECIPIENT_NOT_ALLOWED' }),
  buildEmail('unknown', { lastError: 'No answer.' }),
]
const counts = { sent: 1_200, waiting: 1, failed: 1, unknown: 1 }

async function openTab(responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/broadcasts': [],
    'GET /api/admin/mail': emails,
    'GET /api/admin/mail/counts': counts,
    'GET /api/admin/mail-stops': [],
    ...responses,
  })
  await renderWithProviders(<EmailTab />)
  await screen.findByText('Email sent')
  return network
}
const row = (subject: string) => within(screen.getByText(subject).closest('tr') as HTMLElement)

test('lists emails with state, error and next attempt', async () => {
  await openTab()
  expect(await screen.findByText('1,200')).toBeDefined()
  expect(row('Email waiting').getByText(/tried 3 times, next Jul 1, 2026/)).toBeDefined()
  expect(row('Email failed').getByText('E_RECIPIENT_NOT_ALLOWED')).toBeDefined()
  expect(row('Email unknown').getByText('No answer.')).toBeDefined()
  for (const subject of ['Email sent', 'Email waiting'])
    expect(row(subject).queryByRole('button', { name: 'Send again' })).toBe(null)
})

test('resends a failed email', async () => {
  const { sent } = await openTab({ 'POST /api/admin/mail/failed/resend': noContent })
  fireEvent.click(row('Email failed').getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(toastText()).toContain('Email sent again'))
  expect(sent.filter((line) => line === 'GET /api/admin/mail')).toHaveLength(2)
})

test('confirms before resending an email of unknown state', async () => {
  const { sent } = await openTab({ 'POST /api/admin/mail/unknown/resend': noContent })
  fireEvent.click(row('Email unknown').getByRole('button', { name: 'Send again' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('the recipient may get a second copy')
  expect(sent.filter((line) => line.includes('resend'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send it again' }))
  await waitFor(() => expect(toastText()).toContain('Email sent again'))
})

test('resends all failed emails', async () => {
  await openTab({ 'POST /api/admin/mail/resend-failed': { mails: 1 } })
  fireEvent.click(await screen.findByRole('button', { name: 'Send all failed again' }))
  await waitFor(() => expect(toastText()).toContain('Emails sent again | One email.'))
})

test('two presses resend all failed emails once', async () => {
  const resendResponse = Promise.withResolvers<Response>()
  const { sent } = await openTab({ 'POST /api/admin/mail/resend-failed': () => resendResponse.promise })
  const button = await screen.findByRole('button', { name: 'Send all failed again' })
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(button)
  resendResponse.resolve(Response.json({ mails: 1 }))
  await waitFor(() => expect(toastText()).toContain('Emails sent again | One email.'))
  expect(sent.filter((line) => line.includes('resend-failed'))).toHaveLength(1)
})

test('reveals a recipient and shows resend errors', async () => {
  const message =
    'That email cannot be sent again: it was sent or is on its way, its broadcast was canceled, or the recipient has unsubscribed.'
  await openTab({
    'POST /api/admin/mail/sent/reveal': { to: 'fan@mail.example' },
    'POST /api/admin/mail/failed/resend': () => new Response(message, { status: 409 }),
  })
  fireEvent.click(row('Email sent').getByRole('button', { name: 'Reveal the address' }))
  await waitFor(() => expect(toastText()).toContain('fan@mail.example'))
  fireEvent.click(row('Email failed').getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(toastText()).toContain(message))
})

test('lists suppressions and lifts one', async () => {
  const at = '2026-07-01T16:00:00Z'
  const suppressions = [
    { id: 'h1', to: 'g…@mail.example', reason: 'bounced', at },
    { id: 'h2', to: null, reason: 'complained', at },
  ]
  const { sent } = await openTab({
    'GET /api/admin/mail-stops': suppressions,
    'POST /api/admin/mail-stops/h1/lift': noContent,
  })
  expect(await screen.findByText('g…@mail.example')).toBeDefined()
  expect(row('Address deleted').getByText('Marked an email as spam: only gets emails they ask for.')).toBeDefined()
  fireEvent.click(row('g…@mail.example').getByRole('button', { name: 'Unblock' }))
  await waitFor(() => expect(toastText()).toContain('Address unblocked'))
  expect(sent.filter((line) => line === 'GET /api/admin/mail-stops')).toHaveLength(2)
})
