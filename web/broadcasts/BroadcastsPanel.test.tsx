import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Broadcast } from '../../worker/contract/broadcasts'
import {
  changeField,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { BroadcastsPanel } from './BroadcastsPanel'

const sentBroadcast: Broadcast = {
  id: 'b1',
  subject: 'Old news',
  audience: { kind: 'all', value: null },
  state: 'done',
  createdAt: '2026-07-01T16:00:00Z',
  scheduledAt: '2026-07-01T16:00:00Z',
  startedAt: '2026-07-01T16:00:01Z',
  finishedAt: '2026-07-01T16:01:00Z',
  recipients: 10_000,
  counts: { waiting: 0, sent: 9_970, failed: 0, unknown: 30 },
}
const NO_COUNTS = { waiting: 0, sent: 0, failed: 0, unknown: 0 }
const draft: Broadcast = {
  ...sentBroadcast,
  id: 'd1',
  subject: 'Half written',
  state: 'draft',
  finishedAt: null,
  counts: NO_COUNTS,
}
const audiences = [
  { kind: 'all', value: null, people: 120 },
  { kind: 'tier', value: 'gold', people: 4 },
  { kind: 'city', value: 'Tampa', people: 12 },
]
const accepted = () => new Response(null, { status: 202 })

async function openPanel(list: Broadcast[], responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/broadcasts': list,
    'GET /api/admin/broadcast-audiences': audiences,
    ...responses,
  })
  await renderWithProviders(<BroadcastsPanel />)
  await screen.findByRole('list', { name: 'Broadcasts' })
  return network
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('shows the delivery counts of a sent broadcast', async () => {
  await openPanel([sentBroadcast])
  const row = await screen.findByRole('listitem')
  expect(within(row).getByText('Every subscriber, 10,000 subscribers')).toBeDefined()
  expect(within(row).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('10000')
  const counts = within(row)
    .getAllByRole('term')
    .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`)
  expect(counts).toEqual(['sent 9,970', 'waiting 0', 'failed 0', 'unknown 30'])
})

test('saves, previews, tests and sends the current draft', async () => {
  const preview = { html: '<p>It is <strong>here</strong>.</p>', text: 'It is **here**.', recipients: 12 }
  const network = await openPanel([], {
    'POST /api/admin/broadcasts': { id: 'n1' },
    'PATCH /api/admin/broadcasts/n1': noContent,
    'POST /api/admin/broadcast-preview': preview,
    'POST /api/admin/broadcasts/n1/test': accepted,
    'POST /api/admin/broadcasts/n1/send': accepted,
  })
  expect(await screen.findByText('Nothing sent yet.')).toBeDefined()
  press('Write a broadcast')
  await screen.findByRole('option', { name: 'Subscribers in Tampa (12)' })
  changeField('To', '{"kind":"city","value":"Tampa"}')
  changeField('Subject', 'New drop')
  changeField('Text', 'It is **here**.')
  press('Preview')
  const previewRegion = await screen.findByRole('region', { name: 'Preview' })
  expect(within(previewRegion).getByText('12 subscribers would get it now.')).toBeDefined()
  expect(within(previewRegion).getByTitle('Email preview').getAttribute('sandbox')).toBe('')
  changeField('Test email address', 'me@mail.example')
  press('Send a test email')
  await waitFor(() => expect(toastText()).toContain('A copy is on its way to me@mail.example.'))
  changeField('Subject', 'Newer drop')
  press('Send')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Sending starts right away. Sent emails can’t be recalled.')
  expect(network.sent.filter((line) => line.includes('/send'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send it' }))
  await waitFor(() => expect(toastText()).toContain('On its way'))
  const body = (subject: string) =>
    `{"subject":"${subject}","markdown":"It is **here**.","audience":{"kind":"city","value":"Tampa"}}`
  expect(network.sent.filter((line) => !line.startsWith('GET'))).toEqual([
    `POST /api/admin/broadcast-preview ${body('New drop')}`,
    `POST /api/admin/broadcasts ${body('New drop')}`,
    'POST /api/admin/broadcasts/n1/test {"to":"me@mail.example"}',
    `PATCH /api/admin/broadcasts/n1 ${body('Newer drop')}`,
    'POST /api/admin/broadcasts/n1/send {}',
  ])
})

test('saves a draft once after two presses', async () => {
  const createResponse = Promise.withResolvers<Response>()
  const { sent } = await openPanel([], { 'POST /api/admin/broadcasts': () => createResponse.promise })
  press('Write a broadcast')
  const save = await screen.findByRole('button', { name: 'Save as draft' })
  fireEvent.click(save)
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(save)
  createResponse.resolve(Response.json({ id: 'n1' }))
  await waitFor(() => expect(toastText()).toContain('Draft saved'))
  expect(sent.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test('schedules after confirmation and keeps the form on error', async () => {
  const rejectPastTime = () => new Response('That time has passed. Please choose a later one.', { status: 400 })
  await openPanel([], {
    'POST /api/admin/broadcasts': { id: 'n1' },
    'POST /api/admin/broadcasts/n1/send': rejectPastTime,
  })
  press('Write a broadcast')
  await screen.findByLabelText('Subject')
  changeField('Subject', 'New drop')
  changeField('Text', 'Soon.')
  changeField('Send at', '2020-01-01T10:00')
  press('Send')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('It starts on 1/1/2020, 10:00:00 AM. You can cancel it until then.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Schedule it' }))
  expect((await screen.findByRole('alert')).textContent).toBe('That time has passed. Please choose a later one.')
  expect((screen.getByLabelText('Text') as HTMLTextAreaElement).value).toBe('Soon.')
})

test('reopens a draft with its text and audience', async () => {
  const audience = { kind: 'city', value: 'Ocala' } as const
  await openPanel([draft], { 'GET /api/admin/broadcasts/d1': { ...draft, audience, markdown: 'Half a thought' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Edit draft' }))
  expect(await screen.findByDisplayValue('Half a thought')).toBeDefined()
  // The draft's audience is an option even without subscribers.
  await waitFor(() =>
    expect(screen.getByRole('option', { name: 'Subscribers in Ocala', selected: true })).toBeDefined(),
  )
})

test('polls the progress of a running broadcast', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const scheduled = { ...sentBroadcast, state: 'scheduled' as const, finishedAt: null, counts: NO_COUNTS }
  const halfSent = { ...scheduled, state: 'sending' as const, counts: { ...NO_COUNTS, sent: 4_000, waiting: 6_000 } }
  const responses = [[scheduled], [halfSent], [sentBroadcast]]
  try {
    await openPanel([], { 'GET /api/admin/broadcasts': () => Response.json(responses.shift() ?? [sentBroadcast]) })
    expect(await screen.findByText(/^Scheduled/)).toBeDefined()
    await vi.advanceTimersByTimeAsync(2_100)
    await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('4000'))
    await vi.advanceTimersByTimeAsync(2_100)
    await waitFor(() => expect(screen.getByText(/^Sent/)).toBeDefined())
  } finally {
    vi.useRealTimers()
  }
})

test('stops a running broadcast after confirmation', async () => {
  const counts = { sent: 4_000, failed: 500, unknown: 0, waiting: 5_500 }
  const running = { ...sentBroadcast, state: 'sending' as const, counts }
  const network = await openPanel([running], { 'POST /api/admin/broadcasts/b1/cancel': noContent })
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('4,000 subscribers already have it.')
  expect(network.sent).not.toContain('POST /api/admin/broadcasts/b1/cancel')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop it' }))
  await waitFor(() => expect(network.sent).toContain('POST /api/admin/broadcasts/b1/cancel'))
})

test('loads the list again after an error', async () => {
  const responses = [new Response('Down.', { status: 500 }), Response.json([draft])]
  await openPanel([], { 'GET /api/admin/broadcasts': () => responses.shift() ?? Response.json([]) })
  expect(await screen.findByText('The broadcasts could not be loaded.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('Half written')).toBeDefined()
})
