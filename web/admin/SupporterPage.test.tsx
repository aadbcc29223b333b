import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AdminPointsEntry } from '../../worker/contract/admin'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  toastText,
} from '../testing/render'
import { buildSupporterDetails } from '../testing/supporter-page.fixture'
import { Toaster } from '../ui/Toaster'
import { SupporterActions } from './SupporterActions'
import { SupporterEmail, SupporterPage } from './SupporterPage'
import { SupporterPoints } from './SupporterPoints'

const ENTRY: AdminPointsEntry = {
  id: '31',
  action: 'poll_vote',
  description: 'Voted in “Which song?”',
  points: 10,
  createdAt: '2026-07-02T00:00:00Z',
  state: 'stands',
}
beforeEach(() => localStorage.clear())

async function openPage(responses: MockResponses = {}) {
  const network = mockFetch({
    'GET /api/admin/supporters/7': buildSupporterDetails(),
    'GET /api/admin/supporters/8': buildSupporterDetails({ id: '8', username: 'ben', email: 'b…@mail.example' }),
    'GET /api/admin/supporters/7/points': [],
    'GET /api/admin/supporters/8/points': [],
    ...responses,
  })
  const page = (
    <>
      <SupporterPage />
      <Toaster />
    </>
  )
  const view = await renderWithProviders(page, { path: '/admin/supporters/7' })
  await screen.findByLabelText('New note')
  return { ...network, ...view }
}
const noteText = () => screen.getByLabelText<HTMLTextAreaElement>('New note').value

const REVERSE = 'POST /api/admin/points/31/void'
const ADJUST = 'POST /api/admin/supporters/7/points'

async function openReversal(response: () => Response) {
  const network = mockFetch({ 'GET /api/admin/supporters/7/points': [ENTRY], [REVERSE]: response })
  await renderWithProviders(<SupporterPoints supporter={buildSupporterDetails()} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Take back Voted in “Which song?”' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Take back +10 from ana?' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Take back' }))
  expect(dialog.getByText('Please say why.')).toBeDefined()
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'By a script' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Take back' }))
  return { ...network, dialog }
}

test('takes points back with a reason', async () => {
  const { sent } = await openReversal(() => Response.json({ pointsTaken: 10 }))
  await waitFor(() => expect(toastText()).toBe('plain | Points taken back | −10 for ana.'))
  expect(sent.filter((line) => line.startsWith('POST'))).toEqual([`${REVERSE} {"reason":"By a script"}`])
})

test('keeps the typed reason after an error', async () => {
  const message = 'These points have already been taken back.'
  const { dialog } = await openReversal(() => new Response(message, { status: 409 }))
  expect(await dialog.findByText(message)).toBeDefined()
  expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('By a script')
})

test('a retried points adjustment sends the same idempotency key', async () => {
  let isFirst = true
  const { sent } = mockFetch({
    'GET /api/admin/supporters/7/points': [],
    [ADJUST]: () => {
      if (!isFirst) return Response.json({ totalPoints: 60 })
      isFirst = false
      return new Response('Please try again.', { status: 503 })
    },
  })
  await renderWithProviders(<SupporterPoints supporter={buildSupporterDetails()} />)
  fireEvent.click(screen.getByRole('button', { name: 'Adjust points' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Adjust the points of ana' }))
  const submit = () => fireEvent.click(dialog.getByRole('button', { name: 'Adjust points' }))
  submit()
  expect(dialog.getByText('Enter a whole number of points.')).toBeDefined()
  expect(dialog.getByText('The reason is required.')).toBeDefined()
  fireEvent.change(dialog.getByLabelText('Points'), { target: { value: '50' } })
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Helped at the door' } })
  expect(dialog.getByText('New total: 60')).toBeDefined()
  submit()
  expect(await dialog.findByText('Please try again.')).toBeDefined()
  submit()
  await waitFor(() => expect(toastText()).toBe('plain | Points adjusted | ana now has 60 points.'))
  const [first, second] = sent.filter((line) => line.startsWith(ADJUST))
  expect(first).toBe(second)
})

test('reveals the email on request', async () => {
  mockFetch({ 'POST /api/admin/supporters/7/reveal': { email: 'ana@mail.example' } })
  await renderWithProviders(<SupporterEmail supporter={buildSupporterDetails()} />)
  expect(screen.queryByText('ana@mail.example')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Reveal the email of ana' }))
  expect(await screen.findByText('ana@mail.example')).toBeDefined()
})

test('undoing the deletion of a note adds it again', async () => {
  const note = { id: 'n1', text: 'Plays the bass.', author: 'boss', createdAt: '2026-07-02T00:00:00Z' }
  const { sent } = await openPage({
    'GET /api/admin/supporters/7': buildSupporterDetails({ notes: [note] }),
    'DELETE /api/admin/supporter-notes/n1': noContent,
    'POST /api/admin/supporters/7/notes': note,
  })
  fireEvent.click(screen.getByRole('button', { name: 'Add note' }))
  expect(screen.getByText('Write the note first.')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Delete the note “Plays the bass.”' }))
  await waitFor(() => expect(toastText()).toContain('Note deleted'))
  expect(sent).toContain('DELETE /api/admin/supporter-notes/n1')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent).toContain('POST /api/admin/supporters/7/notes {"text":"Plays the bass."}'))
})

test('erases an account after confirmation', async () => {
  const erase = vi.fn(noContent)
  const onErased = vi.fn()
  mockFetch({ 'DELETE /api/admin/supporters/7': erase })
  await renderWithProviders(<SupporterActions supporter={buildSupporterDetails()} onErased={onErased} />)
  fireEvent.click(screen.getByRole('button', { name: 'Erase account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase ana’s account?' }))
  expect(erase).not.toHaveBeenCalled()
  fireEvent.click(dialog.getByRole('button', { name: 'Erase account' }))
  await waitFor(() => expect(onErased).toHaveBeenCalledTimes(1))
})

test('another supporter’s page shows no typed note or revealed email', async () => {
  const { router } = await openPage({ 'POST /api/admin/supporters/7/reveal': { email: 'ana@mail.example' } })
  const open = (id: string) => act(() => router.navigate({ to: `/admin/supporters/${id}` as never }))
  await open('8')
  await screen.findByText('b…@mail.example')
  await open('7')
  fireEvent.click(screen.getByRole('button', { name: 'Reveal the email of ana' }))
  await screen.findByText('ana@mail.example')
  changeField('New note', 'Plays the bass.')
  await open('8')
  expect(screen.getByText('b…@mail.example')).toBeDefined()
  expect(screen.queryByText('ana@mail.example')).toBeNull()
  expect(noteText()).toBe('')
})

test('an erased account leaves no draft of a note', async () => {
  const { unmount } = await openPage({ 'DELETE /api/admin/supporters/7': noContent })
  changeField('New note', 'Plays the bass.')
  await screen.findByText(/^Draft saved on this device at /)
  changeField('New note', 'Plays the bass and more.')
  fireEvent.click(screen.getByRole('button', { name: 'Erase account' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Erase account' }))
  await waitFor(() => expect(toastText()).toContain('Account erased'))
  unmount()
  expect(localStorage.length).toBe(0)
})

test('saving a note does not clear the next one', async () => {
  const saved = Promise.withResolvers<Response>()
  const { unmount } = await openPage({ 'POST /api/admin/supporters/7/notes': () => saved.promise })
  const add = screen.getByRole('button', { name: 'Add note' })
  changeField('New note', 'Plays the bass.')
  fireEvent.click(add)
  await waitFor(() => expect(add.getAttribute('aria-disabled')).toBe('true'))
  changeField('New note', 'Sings, too.')
  saved.resolve(Response.json({ id: 'n1', text: 'Plays the bass.', author: 'boss', createdAt: '2026-07-02T00:00:00Z' }))
  await waitFor(() => expect(add.getAttribute('aria-disabled')).toBe('false'))
  expect(noteText()).toBe('Sings, too.')
  unmount()
  await openPage()
  expect(noteText()).toBe('Sings, too.')
})

test('a deleted account shows a notice instead of an error', async () => {
  mockFetch({ 'GET /api/admin/supporters/7': () => errorResponse(404, 'not_found', 'Gone.') })
  await renderWithProviders(<SupporterPage />, { path: '/admin/supporters/7' })
  expect(await screen.findByText(/This account was deleted/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
