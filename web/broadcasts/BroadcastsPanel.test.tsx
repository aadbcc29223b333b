import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Broadcast, BroadcastDetail } from '../../worker/contract/broadcasts'
import { formDraftKey, readFormDraft } from '../admin/form-drafts'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { Toaster } from '../ui/Toaster'
import { BroadcastPage } from './BroadcastPage'
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
beforeEach(() => localStorage.clear())

const acceptedResponse = () => new Response(null, { status: 202 })

async function openList(list: Broadcast[], responses: MockResponses = {}, path = '/admin/email') {
  const network = mockFetch({ 'GET /api/admin/broadcasts': list, ...responses })
  const panel = (
    <>
      <BroadcastsPanel />
      <Toaster />
    </>
  )
  const view = await renderWithProviders(panel, { path })
  return { ...network, ...view }
}
async function openPage(id: string, responses: MockResponses = {}) {
  const network = mockFetch({ 'GET /api/admin/broadcast-audiences': audiences, ...responses })
  const view = await renderWithProviders(<BroadcastPage />, { path: `/admin/broadcasts/${id}` })
  return { ...network, ...view }
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const findRow = (name: string) => screen.findByRole('row', { name })

test('links each broadcast to its page', async () => {
  await openList([sentBroadcast, draft])
  const sentRow = within(await findRow('Old news'))
  expect(sentRow.getByText('Every subscriber')).toBeDefined()
  expect(sentRow.getByText('10,000 of 10,000')).toBeDefined()
  expect(sentRow.getByRole('link', { name: 'Old news' }).getAttribute('href')).toBe('/admin/broadcasts/b1')
  expect(screen.getByRole('link', { name: 'Write a broadcast' }).getAttribute('href')).toBe('/admin/broadcasts/new')
})

test('reads filters and search from the URL', async () => {
  const query = 'state=draft&q=news'
  const { sent: requests } = await openList(
    [],
    { [`GET /api/admin/broadcasts?${query}`]: [draft] },
    '/admin/email?broadcasts.state=draft&broadcasts.q=news',
  )
  expect(await findRow('Half written')).toBeDefined()
  expect(requests).toContain(`GET /api/admin/broadcasts?${query}`)
})

test('deletes a draft and recreates it on undo', async () => {
  const { sent: requests } = await openList([draft], {
    'GET /api/admin/broadcasts/d1': { ...draft, markdown: 'Half a thought', version: 1 },
    'DELETE /api/admin/broadcasts/d1': noContent,
    'POST /api/admin/broadcasts': { id: 'd2' },
  })
  await findRow('Half written')
  press('Delete Half written')
  await waitFor(() => expect(toastText()).toBe('plain | Draft deleted | Half written'))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  const body = '{"subject":"Half written","markdown":"Half a thought","audience":{"kind":"all"}}'
  await waitFor(() => expect(requests).toContain(`POST /api/admin/broadcasts ${body}`))
})

test('shows the delivery counts of a sent broadcast', async () => {
  await openPage('b1', { 'GET /api/admin/broadcasts/b1': { ...sentBroadcast, markdown: 'It is here.', version: 1 } })
  const delivery = within(await screen.findByRole('region', { name: 'Delivery' }))
  expect(delivery.getByText('Every subscriber, 10,000 recipients')).toBeDefined()
  expect(delivery.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('10000')
  const counts = delivery
    .getAllByRole('term')
    .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`)
  expect(counts).toEqual(['sent 9,970', 'waiting 0', 'failed 0', 'unknown 30'])
  expect(screen.getByText('It is here.')).toBeDefined()
})

test('opens a show alert with a colon in its id', async () => {
  const alert = {
    ...sentBroadcast,
    id: 'show:s1',
    audience: { kind: 'alerts', value: 'Tampa' },
    markdown: '',
    version: 1,
  }
  await openPage('show%3As1', { 'GET /api/admin/broadcasts/show%3As1': alert })
  expect(await screen.findByText('People with show alerts for Tampa, 10,000 recipients')).toBeDefined()
  expect(screen.getByText('Written automatically for a new show.')).toBeDefined()
})

test('saves, previews, tests and sends the current draft', async () => {
  const preview = { html: '<p>It is <strong>here</strong>.</p>', text: 'It is **here**.', recipients: 12 }
  const sentDraft = { ...sentBroadcast, id: 'n1', subject: 'Newer drop', markdown: 'It is **here**.', version: 2 }
  const network = await openPage('new', {
    'POST /api/admin/broadcasts': { id: 'n1' },
    'GET /api/admin/broadcasts/n1': sentDraft,
    'PATCH /api/admin/broadcasts/n1': noContent,
    'POST /api/admin/broadcast-preview': preview,
    'POST /api/admin/broadcasts/n1/test': acceptedResponse,
    'POST /api/admin/broadcasts/n1/send': acceptedResponse,
  })
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
  // The draft has its own URL now, and the form still shows what was typed.
  expect(network.router.state.location.pathname).toBe('/admin/broadcasts/n1')
  expect(screen.getByLabelText<HTMLInputElement>('Test email address').value).toBe('me@mail.example')
  changeField('Subject', 'Newer drop')
  press('Send')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('Send “Newer drop”?To: Subscribers in Tampa (12).')
  expect(dialog.textContent).toContain('Sending starts right away. Sent emails can’t be recalled.')
  expect(network.sent.filter((line) => line.includes('/send'))).toEqual([])
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send it' }))
  await waitFor(() => expect(toastText()).toContain('On its way'))
  expect(await screen.findByRole('region', { name: 'Delivery' })).toBeDefined()
  const body = (subject: string, version = '') =>
    `{"subject":"${subject}","markdown":"It is **here**.","audience":{"kind":"city","value":"Tampa"}${version}}`
  expect(network.sent.filter((line) => !line.startsWith('GET'))).toEqual([
    `POST /api/admin/broadcast-preview ${body('New drop')}`,
    `POST /api/admin/broadcasts ${body('New drop')}`,
    'POST /api/admin/broadcasts/n1/test {"to":"me@mail.example"}',
    `PATCH /api/admin/broadcasts/n1 ${body('Newer drop', ',"version":1')}`,
    'POST /api/admin/broadcasts/n1/send {"version":2}',
  ])
})

test('saves a draft once after two presses', async () => {
  const createResponse = Promise.withResolvers<Response>()
  const { sent: requests } = await openPage('new', { 'POST /api/admin/broadcasts': () => createResponse.promise })
  const save = await screen.findByRole('button', { name: 'Save as draft' })
  changeField('Subject', 'New drop')
  changeField('Text', 'Soon.')
  fireEvent.click(save)
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('true'))
  fireEvent.click(save)
  createResponse.resolve(Response.json({ id: 'n1' }))
  await waitFor(() => expect(toastText()).toContain('Draft saved'))
  expect(requests.filter((line) => line.startsWith('POST'))).toHaveLength(1)
})

test('schedules after confirmation and keeps the form on error', async () => {
  const rejectPastTime = () => new Response('That time has passed. Please choose a later one.', { status: 400 })
  await openPage('new', {
    'POST /api/admin/broadcasts': { id: 'n1' },
    'POST /api/admin/broadcasts/n1/send': rejectPastTime,
  })
  await screen.findByLabelText('Subject')
  changeField('Subject', 'New drop')
  changeField('Text', 'Soon.')
  changeField('Send at', '2020-01-01T10:00')
  press('Send')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('It starts on January 1, 2020 at 10:00 AM. You can unschedule it until then.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Schedule it' }))
  expect((await screen.findByRole('alert')).textContent).toBe('That time has passed. Please choose a later one.')
  expect((screen.getByLabelText('Text') as HTMLTextAreaElement).value).toBe('Soon.')
})

test('reopens a draft with its text and audience', async () => {
  const audience = { kind: 'city', value: 'Ocala' } as const
  await openPage('d1', {
    'GET /api/admin/broadcasts/d1': { ...draft, audience, markdown: 'Half a thought', version: 1 },
  })
  expect(await screen.findByDisplayValue('Half a thought')).toBeDefined()
  // The draft's audience is an option even without subscribers.
  await waitFor(() =>
    expect(screen.getByRole('option', { name: 'Subscribers in Ocala', selected: true })).toBeDefined(),
  )
})

test('names missing fields and saves nothing', async () => {
  const { sent: requests } = await openPage('new')
  await screen.findByLabelText('Subject')
  press('Send')
  expect(await screen.findByText('The subject is required.')).toBeDefined()
  expect(screen.getByText('The text is required.')).toBeDefined()
  expect(requests.filter((line) => line.startsWith('POST'))).toEqual([])
})

test('restores a new broadcast that was not saved', async () => {
  const first = await openPage('new')
  await screen.findByRole('option', { name: 'Subscribers in Tampa (12)' })
  changeField('To', '{"kind":"city","value":"Tampa"}')
  changeField('Subject', 'New drop')
  changeField('Text', 'Half a thought')
  expect(await screen.findByText(/^Draft saved on this device at /)).toBeDefined()
  first.unmount()
  const second = await openPage('new', { 'POST /api/admin/broadcasts': { id: 'n1' } })
  expect(await screen.findByRole('region', { name: 'Draft restored' })).toBeDefined()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Half a thought')
  expect(screen.getByLabelText<HTMLSelectElement>('To').value).toBe('{"kind":"city","value":"Tampa"}')
  press('Save as draft')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Draft restored' })).toBeNull())
  expect(localStorage.length).toBe(0)
  second.unmount()
})

test('lists a broadcast that was not saved, and discards it', async () => {
  const form = await openPage('new')
  await screen.findByLabelText('Subject')
  changeField('Subject', 'New drop')
  form.unmount()
  await openList([])
  expect(await screen.findByRole('region', { name: 'Unsaved changes: A new broadcast' })).toBeDefined()
  press('Discard the changes')
  expect(screen.queryByRole('region', { name: /^Unsaved changes/ })).toBeNull()
  expect(localStorage.length).toBe(0)
})

test('shows what another manager saved to the draft', async () => {
  let stored: BroadcastDetail = { ...draft, markdown: 'Half a thought', version: 1 }
  const { sent: requests } = await openPage('d1', {
    'GET /api/admin/broadcasts/d1': () => Response.json(stored),
    'PATCH /api/admin/broadcasts/d1': async (request: Request) =>
      ((await request.json()) as { version: number }).version === stored.version
        ? noContent()
        : errorResponse(409, 'conflict', 'Someone else has saved this.'),
  })
  await screen.findByLabelText('Subject')
  stored = { ...stored, subject: 'Theirs', markdown: 'A whole thought', version: 2 }
  changeField('Subject', 'Mine')
  press('Save as draft')
  expect(await screen.findByText('Someone else saved this while you were editing')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('Yours: Mine').checked).toBe(true)
  press('Save as draft')
  await waitFor(() => expect(toastText()).toContain('Draft saved'))
  expect(requests.filter((line) => line.startsWith('PATCH')).at(-1)).toBe(
    'PATCH /api/admin/broadcasts/d1 {"subject":"Mine","markdown":"A whole thought","audience":{"kind":"all"},"version":2}',
  )
})

test('shows what another manager saved before the confirmation', async () => {
  let stored: BroadcastDetail = { ...draft, markdown: 'Half a thought', version: 1 }
  await openPage('d1', {
    'GET /api/admin/broadcasts/d1': () => Response.json(stored),
    'PATCH /api/admin/broadcasts/d1': () => {
      stored = { ...stored, version: 2 }
      return noContent()
    },
    'POST /api/admin/broadcasts/d1/send': async (request: Request) =>
      ((await request.json()) as { version: number }).version === stored.version
        ? acceptedResponse()
        : errorResponse(409, 'conflict', 'Someone else has saved this.'),
  })
  await screen.findByLabelText('Subject')
  press('Send')
  const dialog = within(await screen.findByRole('dialog'))
  stored = { ...stored, markdown: 'Their thought', version: 3 }
  fireEvent.click(dialog.getByRole('button', { name: 'Send it' }))
  expect(await screen.findByText('Someone else saved this while you were editing')).toBeDefined()
  expect(screen.getByLabelText('Theirs: Their thought')).toBeDefined()
})

test('autosaves text typed during the first save', async () => {
  const created = Promise.withResolvers<Response>()
  await openPage('new', { 'POST /api/admin/broadcasts': () => created.promise })
  await screen.findByLabelText('Subject')
  changeField('Subject', 'New drop')
  changeField('Text', 'Soon.')
  press('Save as draft')
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Save as draft' }).getAttribute('aria-disabled')).toBe('true'),
  )
  changeField('Text', 'Very soon.')
  created.resolve(Response.json({ id: 'n1' }))
  await waitFor(() => expect(toastText()).toContain('Draft saved'))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Very soon.')
  await waitFor(() =>
    // Without a session, the user id is 0.
    expect(readFormDraft(formDraftKey(0, 'broadcasts.n1'))?.values).toMatchObject({
      markdown: 'Very soon.',
      version: 1,
    }),
  )
  expect(localStorage.length).toBe(1)
})

test('opens an empty form for the next new broadcast', async () => {
  const { router } = await openPage('new', { 'POST /api/admin/broadcasts': { id: 'n1' } })
  await screen.findByLabelText('Subject')
  changeField('Subject', 'New drop')
  changeField('Text', 'Soon.')
  press('Save as draft')
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/broadcasts/n1'))
  await act(() => router.navigate({ to: '/admin/broadcasts/new' as never }))
  expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('')
})

test('polls the progress of a running broadcast', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const scheduled = { ...sentBroadcast, state: 'scheduled' as const, finishedAt: null, counts: NO_COUNTS }
  const halfSent = { ...scheduled, state: 'sending' as const, counts: { ...NO_COUNTS, sent: 4_000, waiting: 6_000 } }
  const responses = [scheduled, halfSent]
  try {
    await openPage('b1', {
      'GET /api/admin/broadcasts/b1': () =>
        Response.json({ ...(responses.shift() ?? sentBroadcast), markdown: 'It is here.', version: 1 }),
    })
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
  const network = await openList([running], { 'POST /api/admin/broadcasts/b1/cancel': noContent })
  await findRow('Old news')
  press('Stop Old news')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('4,000 recipients already have it.')
  expect(network.sent).not.toContain('POST /api/admin/broadcasts/b1/cancel')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Stop sending' }))
  await waitFor(() => expect(network.sent).toContain('POST /api/admin/broadcasts/b1/cancel'))
})

test('loads a broadcast again after an error', async () => {
  const responses = [new Response('Down.', { status: 500 })]
  await openPage('d1', {
    'GET /api/admin/broadcasts/d1': () =>
      responses.shift() ?? Response.json({ ...draft, markdown: 'Half a thought', version: 1 }),
  })
  expect(await screen.findByText(/^The broadcast could not be loaded/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByDisplayValue('Half a thought')).toBeDefined()
})
