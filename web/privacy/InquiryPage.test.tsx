import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { InquiryRecord } from '../../worker/contract/privacy'
import { formDraftKey, writeFormDraft } from '../admin/form-drafts'
import {
  changeField,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { InquiryPage } from './InquiryPage'

const inquiry: InquiryRecord = {
  id: 'inquiry_1',
  kind: 'access',
  email: 'f…@mail.example',
  confirmedAt: '2026-07-01T17:00:00Z',
  username: null,
  message: 'What do you keep?',
  createdAt: '2026-07-01T16:00:00Z',
  dueAt: '2126-07-31T16:00:00Z',
  answeredAt: null,
  answer: null,
  events: [
    { kind: 'received', actor: null, at: '2026-07-01T16:00:00Z' },
    { kind: 'confirmed', actor: null, at: '2026-07-01T17:00:00Z' },
  ],
  others: [{ id: 'inquiry_0', kind: 'deletion', createdAt: '2026-06-01T16:00:00Z', answeredAt: null }],
}
const answeredInquiry: InquiryRecord = {
  ...inquiry,
  answer: 'Your address.',
  answeredAt: '2026-07-02T16:00:00Z',
  events: [...inquiry.events, { kind: 'answered', actor: 'boss', at: '2026-07-02T16:00:00Z' }],
}
const foundRecords = {
  newsletter: 1,
  showAlerts: 0,
  stockAlerts: 0,
  verses: 0,
  orders: 0,
  ordersUnderWay: 0,
  mails: 2,
  inquiries: 1,
  contacts: 0,
  importedSales: 0,
}

beforeEach(() => localStorage.clear())

async function openPage(responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/privacy/inquiries/inquiry_1': inquiry,
    'GET /api/admin/privacy/inquiries/inquiry_1/held': { found: foundRecords, account: null },
    ...responses,
  })
  const view = await renderWithProviders(<InquiryPage />, { path: '/admin/privacy/inquiry_1' })
  await screen.findByText('What do you keep?')
  return { ...network, ...view }
}

test('focuses the answer and shows due date and history', async () => {
  await openPage()
  expect(document.activeElement).toBe(screen.getByLabelText('Your answer'))
  expect(screen.getByText('Due Jul 31, 2126')).toBeDefined()
  const history = within(screen.getByRole('region', { name: 'History' }))
  expect(history.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)).toEqual([
    'We received it and emailed the due date',
    'The owner of the mailbox confirmed it',
  ])
  expect(screen.getByRole('link', { name: /^deletion, / }).getAttribute('href')).toBe('/admin/privacy/inquiry_0')
})

test('answers once, then focuses the answer', async () => {
  const correction: InquiryRecord = { ...inquiry, kind: 'correction' }
  const recordsBeforeAnswer = [correction]
  const { sent } = await openPage({
    'GET /api/admin/privacy/inquiries/inquiry_1': () => Response.json(recordsBeforeAnswer.shift() ?? answeredInquiry),
    'POST /api/admin/privacy/inquiries/inquiry_1/answer': answeredInquiry,
  })
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }))
  expect(screen.getByText('The answer is required.')).toBeDefined()
  changeField('Your answer', ' Your address. ')
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }))
  await waitFor(() => expect(toastText()).toBe('plain | Answer sent | It is on its way to f…@mail.example.'))
  expect(sent.filter((request) => request.startsWith('POST'))).toEqual([
    'POST /api/admin/privacy/inquiries/inquiry_1/answer {"answer":"Your address."}',
  ])
  expect(await screen.findByText('boss answered it')).toBeDefined()
  expect(document.activeElement?.textContent).toContain('Our answer')
})

test('restores an unsent answer until it is discarded', async () => {
  const firstVisit = await openPage()
  await screen.findByDisplayValue(/we have 1 newsletter subscription/)
  changeField('Your answer', 'Half an answer')
  firstVisit.unmount()
  await openPage()
  const notice = await screen.findByRole('region', { name: 'Draft restored' })
  expect(screen.getByDisplayValue('Half an answer')).toBeDefined()
  fireEvent.click(within(notice).getByRole('button', { name: 'Discard the draft' }))
  expect(await screen.findByDisplayValue(/we have 1 newsletter subscription/)).toBeDefined()
  expect(localStorage.length).toBe(0)
})

test('sends the suggested answer with a file of the data', async () => {
  const recordsBeforeAnswer = [inquiry, inquiry]
  const { sent } = await openPage({
    'GET /api/admin/privacy/inquiries/inquiry_1': () => Response.json(recordsBeforeAnswer.shift() ?? answeredInquiry),
    'POST /api/admin/privacy/inquiries/inquiry_1/mail-file': noContent,
    'POST /api/admin/privacy/inquiries/inquiry_1/answer': answeredInquiry,
  })
  expect(
    await screen.findByDisplayValue(/we have 1 newsletter subscription, 2 emails that we sent you, and this inquiry/),
  ).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Send the answer' }))
  await waitFor(() => expect(toastText()).toBe('plain | Answer sent | It is on its way to f…@mail.example.'))
  expect(sent.filter((request) => request.startsWith('POST')).map((request) => request.split(' {')[0])).toEqual([
    'POST /api/admin/privacy/inquiries/inquiry_1/mail-file',
    'POST /api/admin/privacy/inquiries/inquiry_1/answer',
  ])
})

test('answers the owner of an unconfirmed account like a visitor', async () => {
  await openPage({ 'GET /api/admin/privacy/inquiries/inquiry_1/held': { found: foundRecords, account: 'squatter' } })
  expect(await screen.findByDisplayValue(/we have 1 newsletter subscription/)).toBeDefined()
  expect(screen.getByRole('checkbox', { name: 'Also email a file with all of it' })).toBeDefined()
})

test('refers the owner of a confirmed account to that account', async () => {
  await openPage({
    'GET /api/admin/privacy/inquiries/inquiry_1': { ...inquiry, username: 'marigold' },
    'GET /api/admin/privacy/inquiries/inquiry_1/held': { found: foundRecords, account: 'marigold' },
  })
  expect(await screen.findByDisplayValue(/You have an account here, marigold/)).toBeDefined()
  expect(screen.queryByRole('checkbox', { name: 'Also email a file with all of it' })).toBeNull()
})

test('shows the erasure receipt although the inquiry is now empty', async () => {
  const erased: InquiryRecord = { ...answeredInquiry, email: '', message: '' }
  const recordsBeforeErasure = [inquiry]
  await openPage({
    'GET /api/admin/privacy/inquiries/inquiry_1': () => Response.json(recordsBeforeErasure.shift() ?? erased),
    'POST /api/admin/privacy/inquiries/inquiry_1/erase': {
      erasedAt: '2026-07-02T16:00:00Z',
      found: foundRecords,
      letterSent: true,
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Erase this address' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Erase for good' }))
  const heading = await screen.findByRole('heading', { name: 'The address is erased' })
  expect(document.activeElement).toBe(heading)
})

test('emails the data once when the button is pressed twice', async () => {
  const { sent } = await openPage({
    'POST /api/admin/privacy/inquiries/inquiry_1/mail-file': () => new Promise<Response>(() => {}),
  })
  const button = await screen.findByRole('button', { name: 'Email the data to them' })
  fireEvent.click(button)
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(button)
  expect(sent.filter((request) => request.includes('mail-file'))).toHaveLength(1)
})

test('erasing an address deletes the answer drafts of its inquiries', async () => {
  // Without a session, the user id is 0.
  const otherInquiryDraftKey = formDraftKey(0, 'inquiries.inquiry_0')
  const values = { answer: 'Half' }
  writeFormDraft(otherInquiryDraftKey, { name: 'Any', base: values, values, savedAt: Date.now() })
  const { unmount } = await openPage({
    'POST /api/admin/privacy/inquiries/inquiry_1/erase': {
      erasedAt: '2026-07-02T16:00:00Z',
      found: foundRecords,
      letterSent: true,
    },
  })
  changeField('Your answer', 'Half an answer')
  await screen.findByText(/^Draft saved on this device at /)
  expect(JSON.stringify(localStorage)).not.toContain('mail.example')
  changeField('Your answer', 'More of an answer')
  fireEvent.click(await screen.findByRole('button', { name: 'Erase this address' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Erase for good' }))
  await screen.findByRole('heading', { name: 'The address is erased' })
  unmount()
  expect(localStorage.length).toBe(0)
})
