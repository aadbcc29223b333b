import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AdminChallenge } from '../../worker/contract/admin-challenge'
import { buildAdminChallenge, buildAdminFinalist, buildSubmission } from '../testing/admin-challenge.fixture'
import { type MockResponses, mockFetch, noContent, renderWithProviders } from '../testing/render'
import { FinalistsPage } from './FinalistsPage'
import { ListeningPage } from './ListeningPage'

const VERSES = [
  buildSubmission(),
  buildSubmission({ id: 'v2', name: 'Undertow' }),
  buildSubmission({
    id: 'v3',
    name: 'High Water',
    myRating: 2,
    averageRating: 2.5,
    ratings: [
      { by: 'ana', rating: 3 },
      { by: 'me', rating: 2 },
    ],
  }),
]
const GET_LISTENING_QUEUE = 'GET /api/admin/challenges/bars/listening'
const SET_FINALISTS = 'POST /api/admin/challenges/bars/finalists'
const mockQueue = (challenge: AdminChallenge, responses: MockResponses) =>
  mockFetch({ 'GET /api/admin/challenges': [challenge], [GET_LISTENING_QUEUE]: VERSES, ...responses })
async function openQueue(responses: MockResponses = {}, challenge = buildAdminChallenge()) {
  const network = mockQueue(challenge, responses)
  const view = await renderWithProviders(<ListeningPage />, { path: '/admin/challenge/bars/listen' })
  await screen.findByRole('article', { name: 'Low Tide' })
  return { ...network, ...view }
}
const press = (key: string) => act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key }))
const openVerseName = () => screen.getByRole('article').getAttribute('aria-label')

beforeEach(() => localStorage.clear())

test('moves through the queue by keys', async () => {
  await openQueue()
  expect(screen.getByText(/^Verse 1 of 3/).textContent).toContain('1 of 3 rated by you')
  await press('j')
  expect(await screen.findByRole('article', { name: 'Undertow' })).toBeTruthy()
  await press('k')
  expect(await screen.findByRole('article', { name: 'Low Tide' })).toBeTruthy()
  await press('s')
  expect(await screen.findByRole('article', { name: 'Undertow' })).toBeTruthy()
  expect(screen.getByText(/^Verse 1 of 3/)).toBeTruthy()
  await press('j')
  await press('j')
  expect(await screen.findByRole('article', { name: 'Low Tide' })).toBeTruthy()
  expect(screen.getByText(/^Verse 3 of 3/)).toBeTruthy()
})

test('rates by key and shows the new average', async () => {
  const rated = buildSubmission({ myRating: 4, averageRating: 4, ratings: [{ by: 'me', rating: 4 }] })
  const { sent } = await openQueue({ 'POST /api/verse-submissions/v1/rating': rated })
  await press('4')
  expect(await screen.findByText(/the average of 1 rating$/)).toBeTruthy()
  expect(sent).toContain('POST /api/verse-submissions/v1/rating {"rating":4}')
  expect(screen.getByRole('button', { name: '4 of 5' }).getAttribute('aria-pressed')).toBe('true')
  expect(screen.getByText(/^Verse 1 of 3/).textContent).toContain('2 of 3 rated by you')
  expect(openVerseName()).toBe('Low Tide')
})

test('the space bar plays the verse', async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  await openQueue()
  await press(' ')
  expect(play).toHaveBeenCalledOnce()
})

test('keys do nothing in a field or when turned off', async () => {
  await openQueue()
  screen.getByLabelText(/^Note/).focus()
  await press('j')
  expect(openVerseName()).toBe('Low Tide')
  screen.getByLabelText<HTMLElement>(/^Note/).blur()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Use these keys' }))
  await press('j')
  expect(openVerseName()).toBe('Low Tide')
})

test('a key picks the verse and opens the next', async () => {
  const { sent } = await openQueue({ [SET_FINALISTS]: noContent })
  await press('f')
  expect(await screen.findByRole('article', { name: 'Undertow' })).toBeTruthy()
  expect(screen.getByText('plain | A finalist | Low Tide is a finalist.')).toBeTruthy()
  expect(sent).toContain(`${SET_FINALISTS} {"was":[],"finalists":[{"name":"Low Tide","submissionId":"v1"}]}`)
})

test('asks for confirmation before changing public finalists', async () => {
  const finalists = [{ ...buildAdminFinalist('a'), submissionId: 'v2' }]
  const challenge = buildAdminChallenge({ fixed: ['finalistsOn'], finalists })
  const { sent } = await openQueue({ [SET_FINALISTS]: noContent }, challenge)
  await press('f')
  const pick = within(await screen.findByRole('dialog', { name: 'Pick Low Tide as a finalist?' }))
  fireEvent.click(pick.getByRole('button', { name: 'Cancel' }))
  await press('j')
  fireEvent.click(await screen.findByRole('button', { name: 'Remove from finalists' }))
  expect(sent.some((request) => request.startsWith(SET_FINALISTS))).toBe(false)
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(sent).toContain(`${SET_FINALISTS} {"was":["a"],"finalists":[]}`))
})

test('locks finalists after voting has begun', async () => {
  await openQueue({}, buildAdminChallenge({ state: 'voting' }))
  expect(screen.queryByLabelText('Stage name')).toBeNull()
})

test('preserves the text of a note that was not saved', async () => {
  const { sent } = await openQueue({
    'PATCH /api/verse-submissions/v1': () => new Response('That did not work.', { status: 503 }),
  })
  fireEvent.change(screen.getByLabelText(/^Note/), { target: { value: 'Strong ending.' } })
  const expectNoteOpen = () => {
    expect(openVerseName()).toBe('Low Tide')
    expect(screen.getByText(/^Verse 1 of 3/)).toBeTruthy()
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^Note/).value).toBe('Strong ending.')
  }
  fireEvent.click(screen.getByRole('button', { name: 'Next verse' }))
  expect(await screen.findByText(/That did not work/)).toBeTruthy()
  expectNoteOpen()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Skip for now' })))
  expectNoteOpen()
  expect(sent).toContain('PATCH /api/verse-submissions/v1 {"note":"Strong ending."}')
})

test('toggles the shortlist optimistically and reverts on error', async () => {
  await openQueue({ 'PATCH /api/verse-submissions/v1': () => new Response('That did not work.', { status: 503 }) })
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'On the shortlist' })
  fireEvent.click(box)
  expect(box.checked).toBe(true)
  expect(await screen.findByText(/Not saved/)).toBeTruthy()
  expect(box.checked).toBe(false)
})

test('leaves out verses that the admin has rated', async () => {
  await openQueue()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Only verses I haven’t rated' }))
  expect(screen.getByText(/^Verse 1 of 2/)).toBeTruthy()
})

test('lists finalists with their ratings, and picks a shortlisted verse', async () => {
  const finalists = [{ ...buildAdminFinalist('a'), submissionId: 'v3' }]
  const verses = [buildSubmission({ shortlisted: true }), { ...VERSES[2], isFinalist: true }, VERSES[1]]
  const { sent } = mockQueue(buildAdminChallenge({ finalists }), {
    [GET_LISTENING_QUEUE]: verses,
    [SET_FINALISTS]: noContent,
  })
  await renderWithProviders(<FinalistsPage />, { path: '/admin/challenge/bars/finalists' })
  const picked = within(await screen.findByRole('region', { name: 'Picked' }))
  expect(picked.getByRole('list', { name: 'Ratings by member' }).textContent).toBe('ana: 3me: 2')
  expect(picked.getByText(/^1 finalist. Voting needs at least 2; there can be up to 20./)).toBeTruthy()
  const candidates = within(screen.getByRole('region', { name: 'Candidates' }))
  expect(candidates.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Low Tide'])
  fireEvent.click(candidates.getByRole('button', { name: 'Pick as finalist' }))
  await waitFor(() => expect(sent.some((request) => request.startsWith(`${SET_FINALISTS} {"was":["a"]`))).toBe(true))
})
